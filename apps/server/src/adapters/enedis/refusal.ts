import { z } from 'zod'
import { EnedisError, faultOf } from './faults.ts'

const text = z.union([z.string(), z.number()]).transform(String)
/** The gateway's, the first interface's and that of 2026: each says its code elsewhere. */
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
function nextAccess(value: string | undefined): Date | undefined {
  const match = /^(\d{4})-([A-Za-z]{3})-(\d{1,2}) (\d\d):(\d\d):(\d\d)\s?([+-]\d{4})?/.exec(value ?? '')
  if (!match) return undefined
  const [, year, month = '', day, hour, minute, second, zone = '+0000'] = match
  const index = MONTHS.indexOf(month.toLowerCase())
  if (index < 0) return undefined
  const offset = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * (zone.startsWith('-') ? -1 : 1)
  const at = Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second))
  return new Date(at - offset * 60_000)
}

/** Seconds, or a date. */
function retryAfter(value: string | undefined, now: number): Date | undefined {
  if (!value) return undefined
  if (/^\d+$/.test(value)) return new Date(now + Number(value) * 1000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : new Date(at)
}

type Refused = { status: number; body: string; headers: Record<string, string>; requestId: string }

/** What a refusal says, whichever of its voices it speaks with; a page of HTML says only its status. */
export function refusalOf({ status, body, headers, requestId }: Refused, now = Date.now()): EnedisError {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    parsed = {}
  }
  const said = Body.safeParse(parsed).data ?? {}
  const code = said.code ?? said.fault?.code ?? said.error ?? ''
  const message = said.error_description ?? said.message ?? said.fault?.message ?? said.description ?? ''
  const quota = /Quota Q[34] reached/i.exec(`${code} ${message}`)?.[0]
  const nested = typeof parsed === 'object' && parsed !== null && 'fault' in parsed ? parsed.fault : undefined
  const inner = Body.safeParse(nested).data?.nextAccessTime
  const retryAt = nextAccess(said.nextAccessTime ?? inner) ?? retryAfter(headers['retry-after'], now)
  return new EnedisError(faultOf(quota ?? code, status, message), { retryAt, requestId })
}
