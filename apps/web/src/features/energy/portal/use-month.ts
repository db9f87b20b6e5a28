import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { daysBetween } from '@voisol/energy/calendar'
import { query } from '../../../lib/queries.ts'
import { formatLongDay, formatMonthYear } from '../../../ui/period/label.ts'
import { buildPeriod, containsDay, getTodayInParis } from '../../../ui/period/period.ts'
import { clipToKnownDays } from '../../../ui/period/so-far.ts'
import type { OwnSide } from './my-points.ts'

/** The month of the last reading, as far as it is known: on the first days of a month the last one says more. */
export function getLastReadingMonth(lastDay: string) {
  const month = buildPeriod('month', lastDay)
  const current = containsDay(month, getTodayInParis())
  return {
    days: clipToKnownDays(month, lastDay),
    /** To end a sentence. */
    when: current ? 'ce mois-ci' : `en ${formatMonthYear(month.from)}`,
    lastDay,
  }
}
export type ReadingMonth = ReturnType<typeof getLastReadingMonth>

export const useMonthSummary = ({ where }: OwnSide, { days }: ReadingMonth) =>
  useQuery(query(energy.summary, { query: { ...where, ...days } }))

export const countDays = ({ days }: ReadingMonth) => daysBetween(days.from, days.to)

export const formatReceivedUntilSentence = ({ lastDay }: Pick<ReadingMonth, 'lastDay'>) =>
  `Mesures reçues jusqu’au ${formatLongDay(lastDay)}.`
