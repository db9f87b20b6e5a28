import { addDays, addMonths, dayOf, dayStart, daysBetween, isDay, localTime, monthOf } from '@voisol/energy/calendar'

export type PeriodUnit = 'day' | 'week' | 'month' | 'year' | 'range'
/** Local days of Paris, `to` excluded. */
export type Period = { unit: PeriodUnit; from: string; to: string }

const getMonday = (day: string) => addDays(day, 1 - localTime(dayStart(day)).weekday)

/** The period of a kind that holds a day; a free range starts as that day alone. */
export function buildPeriod(unit: PeriodUnit, day: string): Period {
  const month = monthOf(day)
  const year = `${day.slice(0, 4)}-01-01`
  const bounds: Record<PeriodUnit, () => [string, string]> = {
    day: () => [day, addDays(day, 1)],
    week: () => [getMonday(day), addDays(getMonday(day), 7)],
    month: () => [month, addMonths(month, 1)],
    year: () => [year, addMonths(year, 12)],
    range: () => [day, addDays(day, 1)],
  }
  const [from, to] = bounds[unit]()
  return { unit, from, to }
}

/** The periods before (−1) or after (1), of the same kind; a free range moves by its own length. */
export function shiftPeriod(period: Period, count: number): Period {
  const { unit, from, to } = period
  if (unit === 'month' || unit === 'year') return buildPeriod(unit, addMonths(from, count * (unit === 'year' ? 12 : 1)))
  const length = daysBetween(from, to) * count
  return { unit, from: addDays(from, length), to: addDays(to, length) }
}

export const getPreviousPeriod = (period: Period) => shiftPeriod(period, -1)

/** The same days one year before; a week stays a week, Monday to Sunday, so that week-ends face week-ends. */
export function getPeriodOfLastYear({ unit, from, to }: Period): Period {
  if (unit === 'week') return { unit, from: addDays(from, -364), to: addDays(to, -364) }
  if (unit === 'day') return buildPeriod(unit, addMonths(from, -12))
  return { unit, from: addMonths(from, -12), to: addMonths(to, -12) }
}

/** Another kind around the same moment: today where the period holds it, else its first day. */
export function changePeriodUnit(period: Period, unit: PeriodUnit, today: string): Period {
  if (unit === 'range') return { ...period, unit }
  return buildPeriod(unit, containsDay(period, today) ? today : period.from)
}

export const containsDay = ({ from, to }: Period, day: string) => day >= from && day < to

const MAX_RANGE_DAYS = 3 * 366
const isKnownDay = (text: string | null): text is string => text !== null && /^(19|20)/.test(text) && isDay(text)
const PERIOD_UNIT_NAMES: readonly string[] = ['day', 'week', 'month', 'year', 'range']
const isUnit = (text: string | null): text is PeriodUnit => text !== null && PERIOD_UNIT_NAMES.includes(text)

/** What the address says; anything doubtful is null. */
export function parsePeriod(unit: string | null, from: string | null, to: string | null): Period | null {
  if (!isUnit(unit) || !isKnownDay(from)) return null
  if (unit !== 'range') return buildPeriod(unit, from)
  if (!isKnownDay(to) || to <= from || daysBetween(from, to) > MAX_RANGE_DAYS) return null
  return { unit, from, to }
}

export const getTodayInParis = (now = Date.now()) => dayOf(Math.floor(now / 60_000))
