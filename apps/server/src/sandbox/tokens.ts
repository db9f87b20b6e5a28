import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type Answer, json, Refusal, refuse } from './answers.ts'
import { SANDBOX_CLIENT } from './client.ts'
import { nowOf } from './clock.ts'
import type { Store } from './store.ts'

const LIFE_S = 12_600
const MOST = 200

const same = (a: string, b: string) => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/** Keys come in the form, or in the header. */
function keysOf(form: URLSearchParams, authorization = ''): [string, string] {
  if (!authorization.startsWith('Basic ')) return [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  const [id = '', ...secret] = Buffer.from(authorization.slice(6), 'base64').toString('utf8').split(':')
  return [id, secret.join(':')]
}

export function signIn(store: Store, body: string, authorization: string | undefined): Answer {
  const form = new URLSearchParams(body)
  if (form.get('grant_type') !== 'client_credentials')
    return refuse('old', new Refusal(400, 'unsupported_grant_type', 'grant_type must be client_credentials'))
  const [id, secret] = keysOf(form, authorization)
  if (!same(id, SANDBOX_CLIENT.clientId) || !same(secret, SANDBOX_CLIENT.clientSecret))
    return refuse('old', new Refusal(401, 'invalid_client', 'A valid OAuth client could not be found for client_id'))
  const now = nowOf(store)
  const token = `sbx-${randomBytes(24).toString('base64url')}`
  const living = store.state.tokens.filter(({ until }) => until > now)
  store.state.tokens = [...living, { token, client: id, until: now + LIFE_S * 1000 }].slice(-MOST)
  store.saveSoon()
  return json({ access_token: token, token_type: 'Bearer', expires_in: LIFE_S, scope: 'am_application_scope default' })
}

export function endToken(store: Store, token: string) {
  store.state.tokens = store.state.tokens.filter((held) => held.token !== token)
  store.saveSoon()
}

export const bearerOf = (authorization: string | undefined) => /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? ''

/** Whose call it is; null where the token is unknown or over. */
export function clientOf(store: Store, token: string): string | null {
  const now = nowOf(store)
  const held = store.state.tokens.find((one) => one.token === token)
  return held && held.until > now ? held.client : null
}

export const invalidCredentials = (): Answer =>
  json({ fault: { code: 900901, message: 'Invalid Credentials', description: 'Access failure for API' } }, 401)
