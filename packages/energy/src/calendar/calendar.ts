import { type CivilDate, computeEasterEpochDay, getMonthLength, toCivilDate, toEpochDay } from './civil.ts'

/** A local day of Europe/Paris, 'YYYY-MM-DD'. */
export type Day = string
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

const DAY_MINUTES = 1440
const pad = (value: number, width: number) => String(value).padStart(width, '0')
const formatDay = ({ year, month, day }: CivilDate): Day => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`

function parseCivil(text: string): CivilDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const real = month >= 1 && month <= 12 && day >= 1 && day <= getMonthLength(year, month)
  return real ? { year, month, day } : undefined
}

function requireCivil(day: Day): CivilDate {
  const civil = parseCivil(day)
  if (!civil) throw new RangeError(`not a day: ${day}`)
  return civil
}

const toDayNumber = (day: Day): number => {
  const { year, month, day: date } = requireCivil(day)
  return toEpochDay(year, month, date)
}

/**
 * Callers pass millions of instants in order: the day and the year of the previous one nearly always apply to the next.
 */
let lastDay = { days: Number.NaN, day: '' }
let lastYear = { from: Number.NaN, to: Number.NaN, summer: 0, winter: 0 }

function toDay(days: number): Day {
  if (days !== lastDay.days) lastDay = { days, day: formatDay(toCivilDate(days)) }
  return lastDay.day
}

export const isDay = (text: string): boolean => parseCivil(text) !== undefined

/** 1 is Monday, 7 is Sunday. */
const getWeekdayOfEpochDay = (days: number): number => ((((days + 3) % 7) + 7) % 7) + 1

function lastSunday(year: number, month: number): number {
  const last = toEpochDay(year, month, 31)
  return last - (getWeekdayOfEpochDay(last) % 7)
}

function computeClockYear(minute: number) {
  const { year } = toCivilDate(Math.floor(minute / DAY_MINUTES))
  return {
    from: toEpochDay(year, 1, 1) * DAY_MINUTES,
    to: toEpochDay(year + 1, 1, 1) * DAY_MINUTES,
    summer: lastSunday(year, 3) * DAY_MINUTES + 60,
    winter: lastSunday(year, 10) * DAY_MINUTES + 60,
  }
}

/** Minutes ahead of UTC: two hours from the last Sunday of March to the last Sunday of October, both at 01:00 UTC. */
export function offsetAt(minute: number): 60 | 120 {
  if (!(minute >= lastYear.from && minute < lastYear.to)) lastYear = computeClockYear(minute)
  const { summer, winter } = lastYear
  return minute >= summer && minute < winter ? 120 : 60
}

// Two hours before midnight UTC, the clock change of that day has not happened yet.
const getStartOfDayNumber = (days: number): number => days * DAY_MINUTES - offsetAt(days * DAY_MINUTES - 120)

/** Epoch minute of the local midnight at which the day starts. */
export const dayStart = (day: Day): number => getStartOfDayNumber(toDayNumber(day))

/** 1380, 1440 or 1500: two days of the year have 23 or 25 hours. */
export function minutesOfDay(day: Day): number {
  const days = toDayNumber(day)
  return getStartOfDayNumber(days + 1) - getStartOfDayNumber(days)
}

export const stepsOfDay = (day: Day, step: Step): number => minutesOfDay(day) / step
export const dayOf = (minute: number): Day => toDay(Math.floor((minute + offsetAt(minute)) / DAY_MINUTES))
export const addDays = (day: Day, n: number): Day => toDay(toDayNumber(day) + n)
export const daysBetween = (from: Day, to: Day): number => toDayNumber(to) - toDayNumber(from)
export const monthOf = (day: Day): Day => formatDay({ ...requireCivil(day), day: 1 })

/** The same date n months on, or the last of that month. */
export function addMonths(day: Day, n: number): Day {
  const civil = requireCivil(day)
  const months = civil.year * 12 + civil.month - 1 + n
  const [year, month] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1]
  return formatDay({ year, month, day: Math.min(civil.day, getMonthLength(year, month)) })
}

/** The days of [from, to). */
export function listDays(from: Day, to: Day): Day[] {
  const first = toDayNumber(from)
  return Array.from({ length: Math.max(0, toDayNumber(to) - first) }, (_, n) => toDay(first + n))
}

/** The wall clock at an instant; `minuteOfDay` is 0 to 1439 whatever the length of the day. */
export function localTime(minute: number): { day: Day; minuteOfDay: number; weekday: Weekday } {
  const local = minute + offsetAt(minute)
  const days = Math.floor(local / DAY_MINUTES)
  const weekday = getWeekdayOfEpochDay(days) as Weekday // by construction 1 to 7
  return { day: toDay(days), minuteOfDay: local - days * DAY_MINUTES, weekday }
}

/** Public holidays of metropolitan France, in order. */
export function holidays(year: number): Day[] {
  const sunday = computeEasterEpochDay(year)
  const fixed = ['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25']
  const moving = [sunday + 1, sunday + 39, sunday + 50].map(toDay)
  // 1 or 8 May can be Ascension Day as well.
  return [...new Set([...fixed.map((date) => `${pad(year, 4)}-${date}`), ...moving])].sort()
}

export const STEPS = [5, 10, 15, 30, 60] as const
/** How long a measure lasts, in minutes. */
export type Step = (typeof STEPS)[number]
