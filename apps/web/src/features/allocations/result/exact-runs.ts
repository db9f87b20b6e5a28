import type { Run } from '@voisol/contract/allocations'
import { daysBetween } from '@voisol/energy/calendar'

type Days = { from: string; to: string }

const holdsFor =
  ({ from, to }: Days) =>
  (run: Run) =>
    run.status === 'done' && run.daysInForce > 0 && run.from < to && run.to > from

/**
 * The runs whose whole results make up the period: each lies within it and holds for all of its days.
 * Null where a run is cut by the period or by another run: its classes would count days that are not meant.
 */
export function exactRuns(runs: Run[], period: Days): Run[] | null {
  const held = runs.filter(holdsFor(period))
  const whole = (run: Run) =>
    run.from >= period.from && run.to <= period.to && run.daysInForce === daysBetween(run.from, run.to)
  return held.every(whole) ? held : null
}
