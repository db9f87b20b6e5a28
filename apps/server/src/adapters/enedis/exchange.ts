import { randomUUID } from 'node:crypto'
import { frenchNumber, NBSP, quoted } from '../../french.ts'
import { EnedisError, faultOf } from './faults.ts'
import { refusalOf, retryAfter } from './refusal.ts'
import type { Trace } from './types.ts'

/** A week of five-minute values is under 200 kB; what is much longer is not an answer of theirs. */
const MOST_BYTES = 8_000_000
const TIMEOUT_MS = 30_000

export type Exchange = {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string
  secret?: boolean
}
export type Listener = (trace: Trace) => void
/** Who hears of the exchange, how long it may take, and by which clock `in so many seconds` is meant. */
export type Way = { listen: Listener; timeout?: number | undefined; now?: (() => number) | undefined }

/** What came back of a call that passed. */
export type Answered = { value: unknown; status: number; requestId: string; retryAt: Date | undefined }

const failed = (code: 'timeout' | 'network', message: string, requestId: string, cause?: unknown) =>
  new EnedisError(faultOf(code, null, message), { requestId, cause })
const illegible = (status: number, message: string, requestId: string, cause?: unknown) =>
  new EnedisError(faultOf('unreadable', status, message), { requestId, cause })

/** The body as it comes, cut off where it is longer than any answer can be. */
async function readBody(response: Response, requestId: string): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > MOST_BYTES)
      throw illegible(
        response.status,
        `La réponse est trop grande${NBSP}: plus de ${frenchNumber(MOST_BYTES)} octets.`,
        requestId,
      )
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function explain(error: unknown, { requestId, retryAt }: Trace): EnedisError {
  if (error instanceof EnedisError)
    return error.retryAt || !retryAt ? error : new EnedisError(error.fault, { requestId, retryAt, cause: error })
  const name = error instanceof Error ? error.name : ''
  const slow = name === 'TimeoutError' || name === 'AbortError'
  return failed(slow ? 'timeout' : 'network', '', requestId, error)
}

function parsed(body: string, status: number, requestId: string): unknown {
  if (body.trim() === '') return null
  try {
    return JSON.parse(body)
  } catch (cause) {
    const begins = `La réponse n’est pas du JSON, ou est coupée${NBSP}: elle commence par ${quoted(body.trim())}.`
    throw illegible(status, begins, requestId, cause)
  }
}

/** One call and its answer as JSON; every end of it is told to the listener, and every bad one is an EnedisError. */
export async function exchange(
  asked: Exchange,
  { listen, timeout = TIMEOUT_MS, now = Date.now }: Way,
): Promise<Answered> {
  const requestId = randomUUID()
  const from = performance.now()
  const trace: Trace = {
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
    trace.retryAt = retryAfter(trace.headers['retry-after'], now())
    const body = await readBody(response, requestId)
    // The answer to a sign-in is a secret of its own.
    trace.body = asked.secret && response.ok ? '' : body
    if (!response.ok) throw refusalOf({ status: response.status, body, retryAt: trace.retryAt, requestId })
    return {
      value: parsed(body, response.status, requestId),
      status: response.status,
      requestId,
      retryAt: trace.retryAt,
    }
  } catch (error) {
    throw explain(error, trace)
  } finally {
    trace.milliseconds = performance.now() - from
    listen(trace)
  }
}
