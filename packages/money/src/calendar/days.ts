/** A local day of Europe/Paris, 'YYYY-MM-DD'; days compare as text. */
export type Day = string
/** 'YYYY-MM'. */
export type Month = string
/** Half-open; without an end it is open. */
export type Span = { readonly from: Day; readonly to: Day | null }
/** Half-open, with an end. */
export type Period = { readonly from: Day; readonly to: Day }

const DAY_MS = 86_400_000

/** The UTC midnight of a date that exists; undefined for any other text. */
function read(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const time = new Date(Date.UTC(year, month - 1, date))
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === date ? time.getTime() : undefined
}
const write = (number: number): Day => new Date(number * DAY_MS).toISOString().slice(0, 10)

export const isDay = (text: string): boolean => read(text) !== undefined

export function dayNumber(day: Day): number {
  const time = read(day)
  if (time === undefined) throw new RangeError(`not a day: ${day}`)
  return time / DAY_MS
}
export const isMonth = (text: string): boolean => /^\d{4}-\d{2}$/.test(text) && isDay(`${text}-01`)

export const addDays = (day: Day, count: number): Day => write(dayNumber(day) + count)
export const daysBetween = (from: Day, to: Day): number => dayNumber(to) - dayNumber(from)
/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: Day): number => ((((dayNumber(day) + 3) % 7) + 7) % 7) + 1

export const covers = ({ from, to }: Span, day: Day): boolean => from <= day && (to === null || day < to)

const later = (a: Day, b: Day): Day => (a > b ? a : b)
const earlier = (a: Day, b: Day | null): Day => (b === null || a < b ? a : b)

/** What of the period lies inside the spans; undefined where nothing does. */
export function clip(period: Period, ...spans: readonly Span[]): Period | undefined {
  const from = spans.reduce((day, span) => later(day, span.from), period.from)
  const to = spans.reduce((day, span) => earlier(day, span.to), period.to)
  return from < to ? { from, to } : undefined
}

export const overlap = (a: Span, b: Span): boolean =>
  (b.to === null || a.from < b.to) && (a.to === null || b.from < a.to)

export type Every = 'month' | 'quarter' | 'year'
const MONTHS: Record<Every, number> = { month: 1, quarter: 3, year: 12 }

/** The calendar month, quarter or year that holds the day. */
export function periodOf(day: Day, every: Every): Period {
  const length = MONTHS[every]
  const at = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - ((Number(day.slice(5, 7)) - 1) % length)
  return { from: firstOf(at), to: firstOf(at + length) }
}
const firstOf = (months: number): Day =>
  `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`

export const monthPeriod = (month: Month): Period => periodOf(`${month}-01`, 'month')
