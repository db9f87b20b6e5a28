import { randomBytes, timingSafeEqual } from 'node:crypto'
import { SimulatedRefusal, type SimulatorResponse, toJsonResponse, toRefusalResponse } from './answers.ts'
import { SIMULATOR_CLIENT } from './client.ts'
import { getSimulatorNow } from './clock.ts'
import type { SimulatorStore } from './store.ts'

const TOKEN_LIFETIME_SECONDS = 12_600
const MAX_TOKENS = 200

const isSameText = (a: string, b: string) => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/** Credentials are in the form, or in the header. */
function parseCredentials(form: URLSearchParams, authorization = ''): [string, string] {
  if (!authorization.startsWith('Basic ')) return [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  const [id = '', ...secret] = Buffer.from(authorization.slice(6), 'base64').toString('utf8').split(':')
  return [id, secret.join(':')]
}

export function issueToken(store: SimulatorStore, body: string, authorization: string | undefined): SimulatorResponse {
  const form = new URLSearchParams(body)
  if (form.get('grant_type') !== 'client_credentials')
    return toRefusalResponse(
      'old',
      new SimulatedRefusal(400, 'unsupported_grant_type', 'grant_type must be client_credentials'),
    )
  const [id, secret] = parseCredentials(form, authorization)
  if (!isSameText(id, SIMULATOR_CLIENT.clientId) || !isSameText(secret, SIMULATOR_CLIENT.clientSecret))
    return toRefusalResponse(
      'old',
      new SimulatedRefusal(401, 'invalid_client', 'A valid OAuth client could not be found for client_id'),
    )
  const now = getSimulatorNow(store)
  const token = `sbx-${randomBytes(24).toString('base64url')}`
  const living = store.state.tokens.filter(({ until }) => until > now)
  store.state.tokens = [...living, { token, client: id, until: now + TOKEN_LIFETIME_SECONDS * 1000 }].slice(-MAX_TOKENS)
  store.saveSoon()
  return toJsonResponse({
    access_token: token,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: 'am_application_scope default',
  })
}

export function revokeSimulatorToken(store: SimulatorStore, token: string) {
  store.state.tokens = store.state.tokens.filter((held) => held.token !== token)
  store.saveSoon()
}

export const parseBearer = (authorization: string | undefined) => /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? ''

/** The client of a token; null if unknown or expired. */
export function findClientOfToken(store: SimulatorStore, token: string): string | null {
  const now = getSimulatorNow(store)
  const held = store.state.tokens.find((one) => one.token === token)
  return held && held.until > now ? held.client : null
}

export const createInvalidCredentialsResponse = (): SimulatorResponse =>
  toJsonResponse(
    { fault: { code: 900901, message: 'Invalid Credentials', description: 'Access failure for API' } },
    401,
  )
