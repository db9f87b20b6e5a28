import { addDays, addMonths, dayOf, dayStart, daysBetween, isDay } from '@voisol/energy/calendar'
import { fieldError } from '../../../http/errors.ts'

export type Period = { from: string; to: string }

const FIRST_ALLOWED_DAY = '2000-01-01'
const LAST_ALLOWED_DAY = '2100-01-01'
/** Ten years: the longest period of any figure. */
export const MAX_PERIOD_DAYS = 3660

export function requirePeriod(
  { from, to }: Period,
  maxDays = MAX_PERIOD_DAYS,
  names = { from: 'from', to: 'to' },
): Period {
  if (from < FIRST_ALLOWED_DAY || from >= LAST_ALLOWED_DAY)
    throw fieldError(names.from, 'Le premier jour doit se situer entre 2000 et 2099.')
  if (to <= from) throw fieldError(names.to, 'La fin de la période doit venir après son début.')
  const days = to > LAST_ALLOWED_DAY ? Number.POSITIVE_INFINITY : daysBetween(from, to)
  if (days > maxDays)
    throw fieldError(
      names.to,
      `La période est trop longue\u00a0: au plus ${maxDays} jours sont lus à la fois à ce pas.`,
    )
  return { from, to }
}

const isFirstOfMonth = (day: string) => day.endsWith('-01')
/** The number of whole calendar months; zero for other periods. */
const countWholeMonths = ({ from, to }: Period) => {
  if (!isFirstOfMonth(from) || !isFirstOfMonth(to)) return 0
  const number = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return number(to) - number(from)
}

/** The period of the same length just before; calendar months are compared with calendar months. */
export function getPreviousPeriod(period: Period): Period {
  const months = countWholeMonths(period)
  const from = months ? addMonths(period.from, -months) : addDays(period.from, -daysBetween(period.from, period.to))
  return { from, to: period.from }
}

/** The same dates a year before; 28 February replaces 29 February. */
export function getPeriodLastYear(period: Period): Period {
  const from = addMonths(period.from, -12)
  const to = addMonths(period.to, -12)
  return { from, to: to > from ? to : addDays(from, 1) }
}

export type PeriodBounds = Period & { startsAt: number; endsAt: number }

const toMinute = (bound: string) => (isDay(bound) ? dayStart(bound) : Math.ceil(Date.parse(bound) / 60_000))

/** Local days or instants; the end is excluded. */
export function parseBounds(start: string, end: string, most: number): PeriodBounds {
  const names = { from: 'startDate', to: 'endDate' }
  const startsAt = toMinute(start)
  const endsAt = toMinute(end)
  if (endsAt <= startsAt) throw fieldError(names.to, 'La fin de la période doit venir après son début.')
  const period = { from: dayOf(startsAt), to: addDays(dayOf(endsAt - 1), 1) }
  return { ...requirePeriod(period, most, names), startsAt, endsAt }
}
