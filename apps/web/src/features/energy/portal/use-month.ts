import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { daysBetween } from '@voisol/energy/calendar'
import { query } from '../../../lib/queries.ts'
import { dayLabel, monthLabel } from '../../../ui/period/label.ts'
import { holds, periodOf, todayInParis } from '../../../ui/period/period.ts'
import { soFar } from '../../../ui/period/so-far.ts'
import type { Mine } from './my-points.ts'

/** The month of the last reading, as far as it is known: on the first days of a month the last one says more. */
export function monthOfLast(lastDay: string) {
  const month = periodOf('month', lastDay)
  const current = holds(month, todayInParis())
  return {
    days: soFar(month, lastDay),
    /** To end a sentence. */
    when: current ? 'ce mois-ci' : `en ${monthLabel(month.from)}`,
    lastDay,
  }
}
export type Month = ReturnType<typeof monthOfLast>

export const useMonthSummary = ({ where }: Mine, { days }: Month) =>
  useQuery(query(energy.summary, { query: { ...where, ...days } }))

export const countDays = ({ days }: Month) => daysBetween(days.from, days.to)

export const untilWords = ({ lastDay }: Pick<Month, 'lastDay'>) => `Mesures reçues jusqu’au ${dayLabel(lastDay)}.`
