import { addDays } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { type EnergyByClass, loadAllocatedClasses, loadDistributorClasses } from './classes.ts'
import type { DayFigures } from './day-figures.ts'
import { getComparedPeriod, type PointMonth, type ReconciliationContext } from './scene.ts'

const KWH = 1000

/** Compares by class within the distributor's rounding, which drops the fraction of each kilowatt-hour. */
function areClassesClose(
  ours: EnergyByClass | undefined,
  theirs: EnergyByClass,
  { floored, tolerance }: { floored: boolean; tolerance: number },
) {
  if (!ours || !theirs.size) return false
  return [...theirs].every(([name, wh]) => {
    const difference = (ours.get(name) ?? 0) - wh
    return difference >= -tolerance && difference < (floored ? KWH + tolerance : tolerance + 1)
  })
}

/** A class that only we have, while the other classes match. */
function isMissingClass(ours: EnergyByClass | undefined, theirs: EnergyByClass, tolerance: number): boolean {
  const missing = [...(ours ?? [])].filter(([name]) => !theirs.has(name))
  return missing.reduce((sum, [, wh]) => sum + wh, 0) > tolerance
}

type ClassesByPoint = Map<string, EnergyByClass>

/** The month computed from one day later or earlier, for points with data on that day. */
async function loadShiftedClasses(
  db: Db,
  context: ReconciliationContext,
  figures: DayFigures,
  by: 1 | -1,
): Promise<ClassesByPoint> {
  const { from, to, operationId } = getComparedPeriod(context)
  const asked = { operationId, from: addDays(from, by), to: addDays(to, by) }
  const beside = by === 1 ? to : asked.from
  if (![...figures.ours.values()].some((days) => days.has(beside))) return new Map()
  const all = await loadAllocatedClasses(db, context.companyId, asked, by)
  return new Map([...all].filter(([pointId]) => figures.ours.get(pointId)?.has(beside)))
}

async function loadDistributorClassesOfPoints(
  db: Db,
  { companyId }: ReconciliationContext,
  points: PointMonth[],
): Promise<ClassesByPoint> {
  const theirs: ClassesByPoint = new Map()
  for (const { pointId, definitive } of points)
    if (definitive) theirs.set(pointId, await loadDistributorClasses(db, companyId, pointId, definitive))
  return theirs
}

/** Finds causes that class totals prove: swapped members, a missing class, or a month shifted by a day. */
export async function explainClasses(
  db: Db,
  context: ReconciliationContext,
  { figures, open, apart }: { figures: DayFigures; open: PointMonth[]; apart: PointMonth[] },
): Promise<void> {
  const definitive = apart.filter((point) => point.definitive?.covers)
  const openPoints = open.filter((point) => definitive.includes(point))
  if (!openPoints.length) return
  const theirs = await loadDistributorClassesOfPoints(db, context, definitive)
  const ours = await loadAllocatedClasses(db, context.companyId, getComparedPeriod(context))
  const shifted = [
    await loadShiftedClasses(db, context, figures, 1),
    await loadShiftedClasses(db, context, figures, -1),
  ]
  const tolerance = context.tolerance.month / 60
  const isOf = ({ pointId, definitive: given }: PointMonth, own: EnergyByClass | undefined) =>
    areClassesClose(own, theirs.get(pointId) ?? new Map(), { floored: given?.floored ?? false, tolerance })
  for (const point of openPoints) {
    const { pointId, direction } = point
    const own = ours.get(pointId)
    const others = definitive.filter((other) => other.pointId !== pointId && other.direction === direction)
    if (others.some((other) => isOf(point, ours.get(other.pointId))) && others.some((other) => isOf(other, own)))
      point.cause = 'swapped-members'
    else if (isOf(point, own) && isMissingClass(own, theirs.get(pointId) ?? new Map(), tolerance))
      point.cause = 'missing-class'
  }
  const left = openPoints.filter(({ cause }) => cause === 'unexplained')
  for (const by of shifted)
    if (
      left.length &&
      left.every((point) => isOf(point, by.get(point.pointId)) && isSignificantShift(point, ours, by, tolerance))
    )
      for (const point of left) point.cause = 'shifted-day'
}

/** A shift is accepted only for all points together, and when it exceeds the rounding. */
function isSignificantShift(
  { pointId }: PointMonth,
  ours: ClassesByPoint,
  shifted: ClassesByPoint,
  tolerance: number,
): boolean {
  const [own, other] = [ours.get(pointId), shifted.get(pointId)]
  return [...(other ?? [])].some(([name, wh]) => Math.abs(wh - (own?.get(name) ?? 0)) > 2 * (KWH + tolerance))
}
