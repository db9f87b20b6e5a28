import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Context } from 'oidc-provider'

type OidcPerson = { email: string; given_name: string; family_name: string; groups: string[]; email_verified?: boolean }

/** A real OpenID provider in this process, which signs in the person that the test chose. */
export async function startOidcProvider(clientId: string, secret: string, redirectUri: string) {
  const people = new Map<string, OidcPerson>()
  let current = ''
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'essai' }
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}` // it listens on a port
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: secret, redirect_uris: [redirectUri] }],
    jwks: { keys: [key] },
    cookies: { keys: ['un essai de cookies'] },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'groups'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email_verified: true, ...people.get(accountId) }),
    }),
    async loadExistingGrant({ oidc }: Context) {
      const { accountId } = oidc.session
      const grant = new oidc.provider.Grant({ accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  http.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: current } })
  })
  return {
    issuer,
    /** Chooses the person to sign in from now on. */
    become(subject: string, person: OidcPerson) {
      current = subject
      people.set(subject, person)
    },
    close: () => new Promise((resolve) => http.close(resolve).closeAllConnections()),
  }
}

/** Follows redirects with cookies, until the browser is sent to the product. */
export async function followRedirectsHome(start: string, home = 'http://localhost/'): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let step = 0; step < 10; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const next = response.headers.get('location')
    if (!next) throw new Error(`${url} answers ${response.status} ${(await response.text()).slice(0, 300)}`)
    url = new URL(next, url).href
    if (url.startsWith(home)) return url
  }
  throw new Error('the provider never sent it back')
}

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
