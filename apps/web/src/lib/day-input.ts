import { isDay } from '@voisol/energy/calendar'

/** Two digits of a year: those of this century, but for the last twenty of the other one. */
const CENTURY_PIVOT = 80
const toFullYear = (digits: string) =>
  digits.length === 4 ? digits : `${Number(digits) < CENTURY_PIVOT ? '20' : '19'}${digits.padStart(2, '0')}`

const DAY_PATTERNS: [RegExp, (parts: string[]) => string[]][] = [
  // As it is pasted from a table or another program.
  [/^(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?$/, ([year = '', month = '', date = '']) => [year, month, date]],
  [/^(\d{1,2})[/.\-\s](\d{1,2})[/.\-\s](\d{4}|\d{2})$/, ([date = '', month = '', year = '']) => [year, month, date]],
  [/^(\d{2})(\d{2})(\d{4}|\d{2})$/, ([date = '', month = '', year = '']) => [year, month, date]],
]

/** The day that a person means by « 1/3/26 », « 01032026 » or a pasted 2026-03-01; null where it is none. */
export function parseDay(text: string): string | null {
  const plain = text.replace(/[\s\u00a0\u202f]+/g, ' ').trim()
  for (const [pattern, order] of DAY_PATTERNS) {
    const parts = pattern.exec(plain)
    if (!parts) continue
    const [year = '', month = '', date = ''] = order(parts.slice(1))
    const day = `${toFullYear(year)}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
    return isDay(day) ? day : null
  }
  return null
}

/** 2026-03-01 as « 01/03/2026 »; what is no day stays as it was typed. */
export const formatDayInput = (day: string) =>
  isDay(day) ? `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}` : day

const MOMENT_PATTERN = /^(.*?)\s*(?:à|,|T|\s)\s*(\d{1,2})\s*[h:]\s*(\d{2})?$/
/** « 15/01/2099 9h30 » as 2099-01-15T09:30. */
export function parseMoment(text: string): string | null {
  const [, date = '', hours = '', minutes = '00'] = MOMENT_PATTERN.exec(text.trim()) ?? []
  const day = parseDay(date)
  const isTime = hours !== '' && Number(hours) < 24 && Number(minutes) < 60
  return day && isTime ? `${day}T${hours.padStart(2, '0')}:${minutes}` : null
}
export const formatMomentInput = (moment: string) => {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(moment) ?? []
  return day && time ? `${formatDayInput(day)} ${time}` : moment
}

/** The slashes come by themselves while one types at the end. */
export function insertDateSlashes(before: string, typed: string): string {
  const deduplicated = typed.replace(/\/{2,}/g, '/')
  const isTypingAtEnd = deduplicated.length > before.length && deduplicated.startsWith(before)
  return isTypingAtEnd && /^(\d{2}|\d{2}\/\d{2})$/.test(deduplicated) ? `${deduplicated}/` : deduplicated
}

export const DAY_ERROR = 'Date attendue, par exemple 31/12/2026.'
