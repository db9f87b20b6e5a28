import { getMonthLength, toEpochDay } from '@voisol/energy/civil'
import type { RawFile } from './raw-curves.ts'

/** Minutes since 1970 on the clock the stamp was written with; `offset` is null when it names none. */
export type ParsedStamp = { minute: number; offset: number | null; seconds: number }

const parseDigits = (bytes: Uint8Array, from: number, count: number): number => {
  let value = 0
  for (let at = from; at < from + count; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

// Rows of one day follow each other: its number is computed once.
let lastDate = 0
let lastDay = 0
function toDayNumber(year: number, month: number, day: number): number {
  const date = (year * 16 + month) * 32 + day
  if (date === lastDate) return lastDay
  if (year < 2000 || year > 2099 || month < 1 || month > 12 || day < 1 || day > getMonthLength(year, month)) return -1
  lastDate = date
  lastDay = toEpochDay(year, month, day)
  return lastDay
}

function parseDate(bytes: Uint8Array, from: number): number {
  if (bytes[from + 4] === 45 && bytes[from + 7] === 45)
    return toDayNumber(parseDigits(bytes, from, 4), parseDigits(bytes, from + 5, 2), parseDigits(bytes, from + 8, 2))
  if (bytes[from + 2] === 47 && bytes[from + 5] === 47)
    return toDayNumber(parseDigits(bytes, from + 6, 4), parseDigits(bytes, from + 3, 2), parseDigits(bytes, from, 2))
  return -1
}

function parseOffset(bytes: Uint8Array, from: number, to: number): number | null | undefined {
  if (from === to) return null
  if (bytes[from] === 90 && to === from + 1) return 0
  const sign = bytes[from] === 43 ? 1 : bytes[from] === 45 ? -1 : 0
  if (sign === 0) return undefined
  const colon = bytes[from + 3] === 58 ? 1 : 0
  if (to - from !== 5 + colon) return undefined
  const [hours, minutes] = [parseDigits(bytes, from + 1, 2), parseDigits(bytes, from + 3 + colon, 2)]
  return hours < 0 || hours > 14 || minutes < 0 || minutes > 59 ? undefined : sign * (hours * 60 + minutes)
}

/**
 * Reads `2026-03-29T00:30:00+01:00`, `2026-03-29 00:30[:00]` or `29/03/2026 00:30[:00]`, else what people write; false when it is none.
 * A last second (23:59:59) closes the minute that follows.
 */
export const parseStamp = (bytes: Uint8Array, from: number, to: number, out: ParsedStamp): boolean =>
  parsePlainStamp(bytes, from, to, out) || parseUnusualStamp(bytes, from, to, out)

function parsePlainStamp(bytes: Uint8Array, from: number, to: number, out: ParsedStamp): boolean {
  if (to - from < 16) return false
  const day = parseDate(bytes, from)
  const separator = bytes[from + 10]
  if (day < 0 || (separator !== 84 && separator !== 32) || bytes[from + 13] !== 58) return false
  const hours = parseDigits(bytes, from + 11, 2)
  const minutes = parseDigits(bytes, from + 14, 2)
  if (hours < 0 || minutes < 0 || minutes > 59 || hours > 24 || (hours === 24 && minutes > 0)) return false
  let at = from + 16
  let seconds = 0
  if (bytes[at] === 58) {
    seconds = parseDigits(bytes, at + 1, 2)
    if (seconds < 0 || seconds > 59) return false
    at += 3
    if (bytes[at] === 46)
      do at++
      while (parseDigits(bytes, at, 1) >= 0 && at < to)
  }
  const offset = parseOffset(bytes, at, to)
  if (offset === undefined) return false
  const closes = seconds === 59 && minutes === 59
  out.minute = day * 1440 + hours * 60 + minutes + (closes ? 1 : 0)
  out.seconds = closes ? 0 : seconds
  out.offset = offset
  return true
}

const FRENCH = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})[ T]+(?:à )?(\d{1,2})(?:[:h](\d{2})?)(?::(\d{2}))?$/i
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?$/
const MAX_STAMP_LENGTH = 32

/** What people and spreadsheets write: `9/8/2026 0:30`, `09.08.2026 00:30`, `09/08/26 0h30`, `2026/08/09 00:30`. The day comes before the month. */
function parseUnusualStamp(bytes: Uint8Array, from: number, to: number, out: ParsedStamp): boolean {
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

/**
 * Reads the stamps of one file. A file names an offset in all of its stamps or in none: a stamp of the other kind is
 * unreadable, for nothing tells what it means.
 */
export function createStampClock(file: Pick<RawFile, 'zoned'>) {
  const out: ParsedStamp = { minute: 0, offset: null, seconds: 0 }
  return {
    out,
    /** The minute, or the reason why there is none. */
    read(bytes: Uint8Array, from: number, to: number): number | 'unreadable' | 'off-step' {
      if (!parseStamp(bytes, from, to, out)) return 'unreadable'
      const zoned = out.offset !== null
      file.zoned ??= zoned
      if (file.zoned !== zoned) return 'unreadable'
      if (out.seconds !== 0) return 'off-step'
      return out.minute - (out.offset ?? 0)
    },
  }
}
