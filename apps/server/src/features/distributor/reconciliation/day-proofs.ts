import { addDays } from '@voisol/energy/calendar'
import type { ByDay, DayFigures } from './day-figures.ts'
import type { DayVerdict } from './judge-day.ts'
import type { PointMonth, ReconciliationContext } from './scene.ts'

/** The unexplained days of one point. */
type UnexplainedDays = { pointId: string; days: [string, DayVerdict][] }

const listUnexplainedDays = (judged: ByDay<DayVerdict>): UnexplainedDays[] =>
  [...judged].flatMap(([pointId, all]) => {
    const days = [...all].filter(([, { cause }]) => cause === 'unexplained')
    return days.length ? [{ pointId, days }] : []
  })

/** Whether the distributor's energy of one point on all these days is what we computed for another. */
function isSwappedWith(
  { days }: UnexplainedDays,
  figures: DayFigures,
  who: string,
  other: string,
  { tolerance }: ReconciliationContext,
): boolean {
  const [theirs, ours] = [figures.theirs.get(who), figures.ours.get(other)]
  return days.every(([day]) => {
    const [given, own] = [theirs?.get(day), ours?.get(day)]
    return given !== undefined && own !== undefined && Math.abs(given.energy - own.local) <= tolerance.day(day)
  })
}

/** Finds swapped members: each has the energy of another one. */
function explainSwaps(
  context: ReconciliationContext,
  figures: DayFigures,
  open: UnexplainedDays[],
  differingPoints: PointMonth[],
): void {
  for (const one of open) {
    const self = context.memberships.points.get(one.pointId)
    const others = differingPoints.filter(
      ({ pointId, direction }) => pointId !== one.pointId && direction === self?.direction,
    )
    const isSwapped =
      others.some(({ pointId }) => isSwappedWith(one, figures, one.pointId, pointId, context)) &&
      others.some(({ pointId }) => isSwappedWith(one, figures, pointId, one.pointId, context))
    if (isSwapped) for (const [, own] of one.days) own.cause = 'swapped-members'
  }
}

/** Finds shifted days: the distributor's energy of a day is ours of the day before or after. */
function explainShifts({ tolerance }: ReconciliationContext, figures: DayFigures, open: UnexplainedDays[]): void {
  for (const { pointId, days } of open) {
    const ours = figures.ours.get(pointId)
    const isShifted = (by: number) =>
      days.every(([day, { theirs }]) => {
        const beside = ours?.get(addDays(day, by))
        return theirs !== null && beside !== undefined && Math.abs(theirs - beside.local) <= tolerance.day(day)
      })
    const weighs = days.some(
      ([day, { ours: own, theirs }]) => Math.abs((own ?? 0) - (theirs ?? 0)) > 2 * tolerance.day(day),
    )
    if (weighs && (isShifted(1) || isShifted(-1))) for (const [, own] of days) own.cause = 'shifted-day'
  }
}

/** Finds causes from the daily figures alone. `figures` must include one day before and after the month. */
export function explainDays(
  context: ReconciliationContext,
  figures: DayFigures,
  judged: ByDay<DayVerdict>,
  differingPoints: PointMonth[],
): void {
  explainSwaps(context, figures, listUnexplainedDays(judged), differingPoints)
  explainShifts(context, figures, listUnexplainedDays(judged))
}
