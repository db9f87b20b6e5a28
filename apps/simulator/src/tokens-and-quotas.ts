import { randomBytes, timingSafeEqual } from 'node:crypto'
import { SIMULATOR_CLIENT } from './client.ts'
import {
  createQuotaResponse,
  createThrottledResponse,
  type RefusalStyle,
  SimulatedRefusal,
  type SimulatorResponse,
  toJsonResponse,
  toRefusalResponse,
} from './responses.ts'
import { getSimulatorNow, type SimulatorStore } from './simulator-store.ts'

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

/** The client of a token; null if unknown or expired. */
export function findClientOfToken(store: SimulatorStore, token: string): string | null {
  const now = getSimulatorNow(store)
  const held = store.state.tokens.find((one) => one.token === token)
  return held && held.until > now ? held.client : null
}

type QuotaCountWindow = { second: number; calls: number; hour: number; perHour: number }

/** Limits of the distributor. */
const USUAL_LIMITS = { second: 5, hour: 10_000 }

/** Uses the machine's clock, so that setting the simulator's neither frees nor blocks a client. */
export function createSimulatorQuotas(store: SimulatorStore, lifted: boolean) {
  const windows = new Map<string, QuotaCountWindow>()
  const most = { second: 0, hour: 0 }
  const limitsNow = () => (store.state.quotas === undefined ? (lifted ? null : USUAL_LIMITS) : store.state.quotas)

  function over(client: string): { quota: 'Q3' | 'Q4'; wait: number } | null {
    const limits = limitsNow()
    const now = Date.now()
    const [second, hour] = [Math.floor(now / 1000), Math.floor(now / 3_600_000)]
    const window = windows.get(client) ?? { second, calls: 0, hour, perHour: 0 }
    windows.set(client, window)
    if (window.second !== second) Object.assign(window, { second, calls: 0 })
    if (window.hour !== hour) Object.assign(window, { hour, perHour: 0 })
    if (limits && window.perHour >= limits.hour) return { quota: 'Q4', wait: (hour + 1) * 3_600_000 - now }
    if (limits && window.calls >= limits.second) return { quota: 'Q3', wait: (second + 1) * 1000 - now }
    window.calls++
    window.perHour++
    most.second = Math.max(most.second, window.calls)
    most.hour = Math.max(most.hour, window.perHour)
    return null
  }

  return {
    most,
    limits: limitsNow,
    forget: () => windows.clear(),
    /** The refusal, or null if the call is allowed. */
    take(client: string, voice: RefusalStyle): SimulatorResponse | null {
      const reached = over(client)
      if (!reached) return null
      const at = getSimulatorNow(store) + reached.wait
      if (voice === 'old') return createQuotaResponse(reached.quota, at)
      if (voice === 'gateway') return createThrottledResponse(at)
      const headers = { 'retry-after': String(Math.ceil(reached.wait / 1000)) }
      return toRefusalResponse('new', new SimulatedRefusal(429, 'SGT429', 'SLA dépassé', headers))
    },
  }
}
export type SimulatorQuotas = ReturnType<typeof createSimulatorQuotas>
