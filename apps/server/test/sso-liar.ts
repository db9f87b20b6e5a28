import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Claims = Record<string, unknown>
const encodeJwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT in any form an attacker might send: signed by a key, by a shared secret, or unsigned. */
export function buildJwt(header: Claims, claims: Claims, key?: KeyObject | string): string {
  const body = `${encodeJwtPart(header)}.${encodeJwtPart(claims)}`
  if (key === undefined) return `${body}.`
  if (typeof key === 'string') return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`
}

type ProviderResponses = {
  token: string
  html: boolean
  tokenStatus: number
  error: string
  claims: string[] | undefined
}

/** A provider that answers whatever a test tells it to. */
export async function startScriptedOidcProvider() {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const answers: ProviderResponses = { token: '', html: false, tokenStatus: 200, error: '', claims: undefined }
  const http = createServer((request, response) => {
    const send = (value: object, status = 200) => {
      response.writeHead(status, { 'content-type': answers.html ? 'text/html' : 'application/json' })
      response.end(answers.html ? '<h1>Bienvenue</h1>' : JSON.stringify(value))
    }
    if (request.url?.includes('openid-configuration'))
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        claims_supported: answers.claims,
      })
    if (request.url === '/jwks')
      return send({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'vraie', use: 'sig', alg: 'RS256' }] })
    if (answers.error) return send({ error: answers.error }, 400)
    return send({ access_token: 'jeton', token_type: 'bearer', id_token: answers.token })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}` // it listens on a port
  return {
    issuer,
    keys,
    foreign,
    answers,
    close: () => new Promise((resolve) => http.close(resolve).closeAllConnections()),
  }
}
