import { z } from 'zod'
import { quoteText } from '../../french.ts'
import { buildDistributorFault, EnedisError } from './faults.ts'

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
export function parseRetryAfter(value: string | undefined, now: number): Date | undefined {
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
export function parseRefusal({ status, body, retryAt: told, requestId }: RefusedResponse): EnedisError {
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
