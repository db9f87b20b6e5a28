import { addDays } from '@voisol/energy/calendar'
import { getPreviousPeriod, type Period } from './period.ts'

export type DayRange = { from: string; to: string }

/** The days of a period of which something is known: one that is not over is not held against a whole one. */
export function clipToKnownDays({ from, to }: DayRange, lastDay: string | null): DayRange {
  const end = lastDay === null ? to : addDays(lastDay, 1)
  return { from, to: end > from && end < to ? end : to }
}

/** The seasons of a year begun are not those of the days just before it: it is held against the year before. */
export const isPartialYear = (period: Period, shown: DayRange) => period.unit === 'year' && shown.to < period.to

const PREVIOUS_PERIOD_NAMES = { day: 'la veille', week: 'la semaine précédente', month: '', year: '', range: '' }
const monthFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** What the days shown are compared with, to follow « par rapport à ». */
export function describePreviousPeriod(period: Period, shown: DayRange): string {
  if (isPartialYear(period, shown)) return `la même période de ${getPreviousPeriod(period).from.slice(0, 4)}`
  if (shown.to < period.to || period.unit === 'range') return 'la période précédente'
  const { from } = getPreviousPeriod(period)
  if (period.unit === 'month') return monthFormat.format(new Date(`${from}T00:00:00Z`))
  return period.unit === 'year' ? `l’année ${from.slice(0, 4)}` : PREVIOUS_PERIOD_NAMES[period.unit]
}
