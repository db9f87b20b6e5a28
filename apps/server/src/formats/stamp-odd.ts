import { getMonthLength, toEpochDay } from '@voisol/energy/civil'
import type { ParsedStamp } from './stamp.ts'

const FRENCH = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})[ T]+(?:à )?(\d{1,2})(?:[:h](\d{2})?)(?::(\d{2}))?$/i
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?$/
const MAX_STAMP_LENGTH = 32

/** What people and spreadsheets write: `9/8/2026 0:30`, `09.08.2026 00:30`, `09/08/26 0h30`, `2026/08/09 00:30`. The day comes before the month. */
export function parseUnusualStamp(bytes: Uint8Array, from: number, to: number, out: ParsedStamp): boolean {
  if (to - from < 8 || to - from > MAX_STAMP_LENGTH) return false
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
  const french = FRENCH.exec(text.replace('\u00c3\u00a0', 'à'))
  const parts = french ?? YEAR_FIRST.exec(text)
  if (!parts) return false
  const [, first = 0, month = 0, third = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number(part ?? 0),
  )
  const [year, day] = french ? [third < 100 ? 2000 + third : third, first] : [first, third]
  if (year < 2000 || year > 2099 || month < 1 || month > 12 || day < 1 || day > getMonthLength(year, month))
    return false
  if (hours > 24 || minutes > 59 || seconds > 59 || (hours === 24 && minutes > 0)) return false
  out.minute = toEpochDay(year, month, day) * 1440 + hours * 60 + minutes
  out.seconds = seconds
  out.offset = null
  return true
}
