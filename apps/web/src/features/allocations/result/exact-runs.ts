import type { Run } from '@voisol/contract/allocations'
import { daysBetween } from '@voisol/energy/calendar'

type DateRange = { from: string; to: string }

const isInForceDuring =
  ({ from, to }: DateRange) =>
  (run: Run) =>
    run.status === 'done' && run.daysInForce > 0 && run.from < to && run.to > from

/**
 * The runs whose whole results make up the period: each lies within it and holds for all of its days.
 * Null where a run is cut by the period or by another run: its classes would count days that are not meant.
 */
export function findExactRuns(runs: Run[], period: DateRange): Run[] | null {
  const runsInForce = runs.filter(isInForceDuring(period))
  const whole = (run: Run) =>
    run.from >= period.from && run.to <= period.to && run.daysInForce === daysBetween(run.from, run.to)
  return runsInForce.every(whole) ? runsInForce : null
}
