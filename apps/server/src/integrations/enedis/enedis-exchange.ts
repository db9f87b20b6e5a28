import { randomUUID } from 'node:crypto'
import { dayStart } from '@voisol/energy/calendar'
import { formatFrenchNumber, NBSP, quoteText } from '@voisol/file-formats/french'
import { z } from 'zod'
import type { CallTemplate } from './call-templates.ts'
import { parseEnedisAnswer } from './check-response.ts'
import { buildDistributorFault, EnedisError } from './enedis-faults.ts'
import type { ExchangeTrace } from './enedis-types.ts'

/** A week of five-minute values is under 200 kB; a much longer answer is not theirs. */
const MAX_RESPONSE_BYTES = 8_000_000
const TIMEOUT_MS = 30_000

export type EnedisRequest = {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string
  secret?: boolean
}
type TraceListener = (trace: ExchangeTrace) => void
/** Who receives the trace of the exchange, how long it may take, and the clock for relative delays (Retry-After). */
export type ExchangeOptions = { listen: TraceListener; timeout?: number | undefined; now?: (() => number) | undefined }

/** The result of a successful call. */
type EnedisResponse = { value: unknown; status: number; requestId: string; retryAt: Date | undefined }

const createNetworkError = (code: 'timeout' | 'network', message: string, requestId: string, cause?: unknown) =>
  new EnedisError(buildDistributorFault(code, null, message), { requestId, cause })
const createUnreadableError = (status: number, message: string, requestId: string, cause?: unknown) =>
  new EnedisError(buildDistributorFault('unreadable', status, message), { requestId, cause })

/** Reads the body as it arrives, and stops where it is longer than any answer can be. */
async function readResponseBody(response: Response, requestId: string): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > MAX_RESPONSE_BYTES)
      throw createUnreadableError(
        response.status,
        `La réponse est trop grande${NBSP}: plus de ${formatFrenchNumber(MAX_RESPONSE_BYTES)} octets.`,
        requestId,
      )
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function toEnedisError(error: unknown, { requestId, retryAt }: ExchangeTrace): EnedisError {
  if (error instanceof EnedisError)
    return error.retryAt || !retryAt ? error : new EnedisError(error.fault, { requestId, retryAt, cause: error })
  const name = error instanceof Error ? error.name : ''
  const slow = name === 'TimeoutError' || name === 'AbortError'
  return createNetworkError(slow ? 'timeout' : 'network', '', requestId, error)
}

function parseJsonBody(body: string, status: number, requestId: string): unknown {
  if (body.trim() === '') return null
  try {
    return JSON.parse(body)
  } catch (cause) {
    const begins = `La réponse n’est pas du JSON, ou est coupée${NBSP}: elle commence par ${quoteText(body.trim())}.`
    throw createUnreadableError(status, begins, requestId, cause)
  }
}

/** One call and its answer as JSON; every outcome is traced, and every failure is an EnedisError. */
export async function sendEnedisRequest(
  asked: EnedisRequest,
  { listen, timeout = TIMEOUT_MS, now = Date.now }: ExchangeOptions,
): Promise<EnedisResponse> {
  const requestId = randomUUID()
  const from = performance.now()
  const trace: ExchangeTrace = {
    request: `${asked.method} ${asked.url}`,
    status: null,
    milliseconds: 0,
    headers: {},
    body: '',
    requestId,
  }
  try {
    const response = await fetch(asked.url, {
      method: asked.method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
      headers: { accept: 'application/json', 'x-request-id': requestId, ...asked.headers },
      ...(asked.body !== undefined && { body: asked.body }),
    })
    trace.status = response.status
    trace.headers = Object.fromEntries(response.headers)
    trace.retryAt = parseRetryAfter(trace.headers['retry-after'], now())
    const body = await readResponseBody(response, requestId)
    // The answer to an authentication is a secret, so it is not traced.
    trace.body = asked.secret && response.ok ? '' : body
    if (!response.ok) throw parseRefusal({ status: response.status, body, retryAt: trace.retryAt, requestId })
    return {
      value: parseJsonBody(body, response.status, requestId),
      status: response.status,
      requestId,
      retryAt: trace.retryAt,
    }
  } catch (error) {
    throw toEnedisError(error, trace)
  } finally {
    trace.milliseconds = performance.now() - from
    listen(trace)
  }
}

/** `20260901T000000Z`: the UTC instant at which a local day begins. */
const formatCompactInstant = (day: string) =>
  `${new Date(dayStart(day) * 60_000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

type Values = Record<string, string | undefined>

/** The URL of a call. A parameter without a value is left out; every value is escaped. */
export function buildCallUrl(host: string, { path, query = {}, dates }: CallTemplate, values: Values): string {
  const written: Values = { ...values }
  if (dates === 'compact')
    for (const name of ['from', 'to']) if (values[name]) written[name] = formatCompactInstant(values[name])
  const fill = (text: string) => {
    let whole = true
    const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (written[name] === undefined) whole = false
      return encodeURIComponent(written[name] ?? '')
    })
    return whole ? filled : undefined
  }
  const filledPath = fill(path)
  if (filledPath === undefined) throw new Error(`${path} wants more than ${Object.keys(values).join(', ')}`)
  const search = Object.entries(query).flatMap(([name, text]) => {
    const value = fill(text)
    return value === undefined ? [] : [`${name}=${value.replaceAll('%2C', ',')}`]
  })
  return `${host}${filledPath}${search.length ? `?${search.join('&')}` : ''}`
}

const text = z.union([z.string(), z.number()]).transform(String)
/** Error formats of the gateway, the first interface and that of 2026: the code is in a different field in each. */
const Body = z
  .object({
    error: text,
    error_description: text,
    code: text,
    message: text,
    description: text,
    nextAccessTime: z.string(),
    fault: z.object({ code: text, message: text, description: text }).partial(),
  })
  .partial()

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** `2026-Jul-22 05:00:00+0000 UTC`, as the gateway writes it. */
function parseNextAccess(value: string | undefined): Date | undefined {
  const match = /^(\d{4})-([A-Za-z]{3})-(\d{1,2}) (\d\d):(\d\d):(\d\d)\s?([+-]\d{4})?/.exec(value ?? '')
  if (!match) return undefined
  const [, year, month = '', day, hour, minute, second, zone = '+0000'] = match
  const index = MONTHS.indexOf(month.toLowerCase())
  if (index < 0) return undefined
  const offset = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * (zone.startsWith('-') ? -1 : 1)
  const at = Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second))
  return new Date(at - offset * 60_000)
}

/** A longer delay is not realistic; a pause is much shorter anyway. */
const MAX_RETRY_SECONDS = 10 * 365 * 86_400

/** Retry-After in seconds or as a date; anything else is ignored. */
function parseRetryAfter(value: string | undefined, now: number): Date | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return new Date(now + Math.min(Number(text), MAX_RETRY_SECONDS) * 1000)
  const at = /^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at)
}

/** The latest of the given dates. */
export const getLatestDate = (...times: (Date | undefined)[]): Date | undefined =>
  times.reduce((a, b) => (a && b ? (a > b ? a : b) : (a ?? b)), undefined)

type RefusedResponse = { status: number; body: string; retryAt: Date | undefined; requestId: string }

function parseJsonObject(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** An HTML page comes from a proxy on the way, not from the distributor. */
const isPage = (status: number, body: string) =>
  status < 500 && status !== 429 && body.trim() !== '' && !parseJsonObject(body)

/** The meaning of a refusal, in any of the known formats. */
function parseRefusal({ status, body, retryAt: told, requestId }: RefusedResponse): EnedisError {
  if (isPage(status, body)) {
    const begins = `La réponse est une page, pas un refus du distributeur\u00a0: elle commence par ${quoteText(body.trim())}.`
    return new EnedisError(buildDistributorFault('refused', status, begins), { retryAt: told, requestId })
  }
  const parsed = parseJsonObject(body) ?? {}
  const said = Body.safeParse(parsed).data ?? {}
  const code = said.code ?? said.fault?.code ?? said.error ?? ''
  const message = said.error_description ?? said.message ?? said.fault?.message ?? said.description ?? ''
  const quota = /Quota Q[34] reached/i.exec(`${code} ${message}`)?.[0]
  const nested = 'fault' in parsed ? parsed.fault : undefined
  const inner = Body.safeParse(nested).data?.nextAccessTime
  const retryAt = getLatestDate(parseNextAccess(said.nextAccessTime ?? inner), told)
  return new EnedisError(buildDistributorFault(quota ?? code, status, message), { retryAt, requestId })
}

const Answer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().min(1).default(12_600) })
/** Renewed a little before it expires, so that it does not expire in transit. */
const EXPIRY_MARGIN_MS = 60_000

export type ClientCredentials = { clientId: string; clientSecret: string }

export type EnedisToken = ReturnType<typeof createEnedisToken>

/** One token for all callers: those who need it while it is being fetched wait for the same one. */
export function createEnedisToken(url: string, { clientId, clientSecret }: ClientCredentials, way: ExchangeOptions) {
  let current: { value: string; until: number } | undefined
  let fetching: Promise<string> | undefined
  const asked: EnedisRequest = {
    url,
    method: 'POST',
    secret: true,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  }
  async function fetchToken() {
    const { access_token, expires_in } = parseEnedisAnswer(Answer, (await sendEnedisRequest(asked, way)).value)
    current = { value: access_token, until: performance.now() + Math.max(1000, expires_in * 1000 - EXPIRY_MARGIN_MS) }
    return access_token
  }
  return {
    get(): Promise<string> {
      if (current && current.until > performance.now()) return Promise.resolve(current.value)
      fetching ??= fetchToken().finally(() => {
        fetching = undefined
      })
      return fetching
    },
    /** Refused by the distributor: the next call fetches another, unless someone already has. */
    drop(value: string) {
      if (current?.value === value) current = undefined
    },
  }
}

const MAX_TOKENS = 1000

/** One token per credential, shared by this process; a new one when the credential has changed. */
export function createEnedisTokenCache() {
  const tokens = new Map<string, { made: string; token: EnedisToken }>()
  return {
    of(id: string, made: string, create: () => EnedisToken): EnedisToken {
      const known = tokens.get(id)
      if (known?.made === made) return known.token
      const token = create()
      tokens.delete(id)
      tokens.set(id, { made, token })
      const [oldest] = tokens.keys()
      if (tokens.size > MAX_TOKENS && oldest) tokens.delete(oldest)
      return token
    },
  }
}
export type EnedisTokenCache = ReturnType<typeof createEnedisTokenCache>
