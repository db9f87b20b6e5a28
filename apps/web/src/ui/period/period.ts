import { addDays, addMonths, dayOf, dayStart, daysBetween, isDay, localTime, monthOf } from '@voisol/energy/calendar'

export type PeriodUnit = 'day' | 'week' | 'month' | 'year' | 'range'
/** Local days of Paris, `to` excluded. */
export type Period = { unit: PeriodUnit; from: string; to: string }

const monday = (day: string) => addDays(day, 1 - localTime(dayStart(day)).weekday)

/** The period of a kind that holds a day; a free range starts as that day alone. */
export function periodOf(unit: PeriodUnit, day: string): Period {
  const month = monthOf(day)
  const year = `${day.slice(0, 4)}-01-01`
  const bounds: Record<PeriodUnit, () => [string, string]> = {
    day: () => [day, addDays(day, 1)],
    week: () => [monday(day), addDays(monday(day), 7)],
    month: () => [month, addMonths(month, 1)],
    year: () => [year, addMonths(year, 12)],
    range: () => [day, addDays(day, 1)],
  }
  const [from, to] = bounds[unit]()
  return { unit, from, to }
}

/** The periods before (−1) or after (1), of the same kind; a free range moves by its own length. */
export function shift(period: Period, count: number): Period {
  const { unit, from, to } = period
  if (unit === 'month' || unit === 'year') return periodOf(unit, addMonths(from, count * (unit === 'year' ? 12 : 1)))
  const length = daysBetween(from, to) * count
  return { unit, from: addDays(from, length), to: addDays(to, length) }
}

export const previousOf = (period: Period) => shift(period, -1)

/** The same days one year before; a week stays a week, Monday to Sunday, so that week-ends face week-ends. */
export function lastYearOf({ unit, from, to }: Period): Period {
  if (unit === 'week') return { unit, from: addDays(from, -364), to: addDays(to, -364) }
  if (unit === 'day') return periodOf(unit, addMonths(from, -12))
  return { unit, from: addMonths(from, -12), to: addMonths(to, -12) }
}

/** Another kind around the same moment: today where the period holds it, else its first day. */
export function withUnit(period: Period, unit: PeriodUnit, today: string): Period {
  if (unit === 'range') return { ...period, unit }
  return periodOf(unit, holds(period, today) ? today : period.from)
}

export const holds = ({ from, to }: Period, day: string) => day >= from && day < to

const MAX_DAYS = 3 * 366
const isKnownDay = (text: string | null): text is string => text !== null && /^(19|20)/.test(text) && isDay(text)
const UNITS: readonly string[] = ['day', 'week', 'month', 'year', 'range']
const isUnit = (text: string | null): text is PeriodUnit => text !== null && UNITS.includes(text)

/** What the address says; anything doubtful is null. */
export function parsePeriod(unit: string | null, from: string | null, to: string | null): Period | null {
  if (!isUnit(unit) || !isKnownDay(from)) return null
  if (unit !== 'range') return periodOf(unit, from)
  if (!isKnownDay(to) || to <= from || daysBetween(from, to) > MAX_DAYS) return null
  return { unit, from, to }
}

export const todayInParis = (now = Date.now()) => dayOf(Math.floor(now / 60_000))
