import { randomUUID } from 'node:crypto'
import { formatFrenchNumber, NBSP, quoteText } from '../../french.ts'
import { buildDistributorFault, EnedisError } from './faults.ts'
import { parseRefusal, parseRetryAfter } from './refusal.ts'
import type { ExchangeTrace } from './types.ts'

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
export type TraceListener = (trace: ExchangeTrace) => void
/** Who receives the trace of the exchange, how long it may take, and the clock for relative delays (Retry-After). */
export type ExchangeOptions = { listen: TraceListener; timeout?: number | undefined; now?: (() => number) | undefined }

/** The result of a successful call. */
export type EnedisResponse = { value: unknown; status: number; requestId: string; retryAt: Date | undefined }

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
