/** A local day of Europe/Paris, 'YYYY-MM-DD'; days compare as text. */
export type Day = string
/** 'YYYY-MM'. */
export type Month = string
/** Half-open; without an end it is open. */
export type ValidityPeriod = { readonly from: Day; readonly to: Day | null }
/** Half-open, with an end. */
export type Period = { readonly from: Day; readonly to: Day }

const DAY_MS = 86_400_000

/** The UTC midnight of a date that exists; undefined for any other text. */
function parseUtcMidnight(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const time = new Date(Date.UTC(year, month - 1, date))
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === date ? time.getTime() : undefined
}
const formatDay = (number: number): Day => new Date(number * DAY_MS).toISOString().slice(0, 10)

export const isDay = (text: string): boolean => parseUtcMidnight(text) !== undefined

function toDayNumber(day: Day): number {
  const time = parseUtcMidnight(day)
  if (time === undefined) throw new RangeError(`not a day: ${day}`)
  return time / DAY_MS
}
export const isMonth = (text: string): boolean => /^\d{4}-\d{2}$/.test(text) && isDay(`${text}-01`)

export const addDays = (day: Day, count: number): Day => formatDay(toDayNumber(day) + count)
export const daysBetween = (from: Day, to: Day): number => toDayNumber(to) - toDayNumber(from)
/** 1 is Monday, 7 is Sunday. */
export const getWeekday = (day: Day): number => ((((toDayNumber(day) + 3) % 7) + 7) % 7) + 1

export const isDayInPeriod = ({ from, to }: ValidityPeriod, day: Day): boolean =>
  from <= day && (to === null || day < to)

const getLaterDay = (a: Day, b: Day): Day => (a > b ? a : b)
const getEarlierDay = (a: Day, b: Day | null): Day => (b === null || a < b ? a : b)

/** The part of the period inside all of the spans; undefined when empty. */
export function intersectPeriods(period: Period, ...spans: readonly ValidityPeriod[]): Period | undefined {
  const from = spans.reduce((day, span) => getLaterDay(day, span.from), period.from)
  const to = spans.reduce((day, span) => getEarlierDay(day, span.to), period.to)
  return from < to ? { from, to } : undefined
}

export const arePeriodsOverlapping = (a: ValidityPeriod, b: ValidityPeriod): boolean =>
  (b.to === null || a.from < b.to) && (a.to === null || b.from < a.to)

export type Periodicity = 'month' | 'quarter' | 'year'
const MONTHS: Record<Periodicity, number> = { month: 1, quarter: 3, year: 12 }

/** The calendar month, quarter or year that holds the day. */
export function getCalendarPeriod(day: Day, every: Periodicity): Period {
  const length = MONTHS[every]
  const at = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - ((Number(day.slice(5, 7)) - 1) % length)
  return { from: getFirstDay(at), to: getFirstDay(at + length) }
}
const getFirstDay = (months: number): Day =>
  `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`

export const getMonthPeriod = (month: Month): Period => getCalendarPeriod(`${month}-01`, 'month')
