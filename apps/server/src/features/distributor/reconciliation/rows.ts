import type { DifferenceCause, DifferenceRow } from '@voisol/contract/reconciliation'
import { addMonths, dayStart, monthOf } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { points as pointTable } from '../../../db/schema/index.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { readDayFigures } from './day-figures.ts'
import { explainDays } from './day-proofs.ts'
import { aroundOf, judgeDays, settle } from './explain.ts'
import type { Point } from './memberships.ts'
import { readPowers } from './powers.ts'
import { type MonthResult, reconcile } from './reconcile.ts'
import { readStepFigures } from './steps.ts'
import { whOf } from './verdict.ts'

export type Wanted = {
  month: string
  level: 'month' | 'day' | 'step'
  pointId?: string | undefined
  day?: string | undefined
}
type Sides = { ours: number | null; theirs: number | null; cause: DifferenceCause }

/** The differences of a month: by point, by day, or by step of one point's day. */
export async function differenceRows(
  db: Db,
  { companyId, operationIds }: Actor,
  operationId: string,
  wanted: Wanted,
): Promise<DifferenceRow[]> {
  const { level, pointId, day } = wanted
  const month = monthOf(wanted.month)
  if (level === 'step') requireStep(month, pointId, day)
  if (pointId) await requirePoint(db, companyId, pointId)
  return snapshot(db, async (view) => {
    const asked = { operationId, from: month, to: addMonths(month, 1) }
    const [result] = await reconcile(view, companyId, [asked], operationIds)
    if (!result) return []
    if (level === 'month') return monthRows(result).filter((row) => !pointId || row.pointId === pointId)
    const days = await dayRows(view, result, pointId, day)
    return level === 'step' ? stepRows(view, result, days) : days.map(({ row }) => row)
  })
}

async function requirePoint(db: Db, companyId: number, id: string): Promise<void> {
  const where = and(eq(pointTable.companyId, companyId), eq(pointTable.id, id))
  const [known] = await db.select({ id: pointTable.id }).from(pointTable).where(where)
  if (!known) throw new AppError('not-found')
}

function requireStep(month: string, pointId: string | undefined, day: string | undefined): void {
  if (!pointId) throw fieldError('pointId', 'Choisissez un point\u00a0: les pas se lisent pour un point et un jour.')
  if (!day) throw fieldError('day', 'Choisissez un jour\u00a0: les pas se lisent pour un point et un jour.')
  if (monthOf(day) !== month) throw fieldError('day', 'Ce jour n’est pas dans le mois demandé.')
}

function rowOf(
  { pointId, prm, label, direction, storage }: Point,
  at: string,
  { ours, theirs, cause }: Sides,
): DifferenceRow {
  return {
    pointId,
    prm,
    label,
    direction,
    ...(storage && { storage }),
    at,
    cause,
    oursWh: ours === null ? null : whOf(ours),
    theirsWh: theirs === null ? null : whOf(theirs),
    differenceWh: ours === null || theirs === null ? null : whOf(ours - theirs),
  }
}

/** Producers first, then by name. */
const inOrder = (a: Point, b: Point) =>
  b.direction.localeCompare(a.direction) || a.label.localeCompare(b.label, 'fr') || a.prm.localeCompare(b.prm)

const monthRows = ({ scene, points }: MonthResult) =>
  points.toSorted(inOrder).map((point) => rowOf(point, scene.month, point))

type DayRow = { point: Point; day: string; row: DifferenceRow }

/** Only of points whose days the distributor gave. */
async function dayRows(db: Db, { scene, points }: MonthResult, pointId?: string, day?: string): Promise<DayRow[]> {
  const wanted = points.filter((point) => !pointId || point.pointId === pointId).sort(inOrder)
  const ids = wanted.map((point) => point.pointId)
  const apart = points.filter(({ cause }) => cause !== 'equal' && cause !== 'rounding')
  const concerned = [...new Set([...ids, ...apart.map((point) => point.pointId)])]
  const figures = await readDayFigures(db, scene.companyId, aroundOf(scene), concerned)
  const told = ids.filter((id) => scene.days.some((one) => figures.theirs.get(id)?.has(one)))
  const days = day ? scene.days.filter((one) => one === day) : scene.days
  const judged = judgeDays(scene, figures, told, await readPowers(db, scene, told))
  explainDays(scene, figures, judged, apart)
  await settle(db, scene, judged, [])
  return wanted.flatMap((point) =>
    days.flatMap((at) => {
      const sides = judged.get(point.pointId)?.get(at)
      return sides ? [{ point, day: at, row: rowOf(point, at, sides) }] : []
    }),
  )
}

/** Steps that differ have the cause of their day. */
async function stepRows(db: Db, { scene }: MonthResult, days: DayRow[]): Promise<DifferenceRow[]> {
  const [found] = days
  if (!found) return []
  const { point, day, row } = found
  const { step, ours, theirs } = await readStepFigures(db, scene, point.pointId, day)
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, at) => {
    const sides = { ours: known(ours[at]), theirs: known(theirs[at]) }
    const instant = new Date((dayStart(day) + at * step) * 60_000).toISOString()
    return rowOf(point, instant, {
      ...sides,
      cause: causeOfStep(sides, Math.max(scene.tolerance.step, step), row.cause),
    })
  })
}

const known = (value: number | undefined) => (value === undefined || value < 0 ? null : value)

function causeOfStep(
  { ours, theirs }: Omit<Sides, 'cause'>,
  tolerance: number,
  ofDay: DifferenceCause,
): DifferenceCause {
  if (ours === null || theirs === null) return ofDay === 'membership-dates' ? ofDay : 'missing-data'
  const difference = Math.abs(ours - theirs)
  if (difference === 0) return 'equal'
  if (difference <= tolerance) return 'rounding'
  // A day whose steps make up for one another says nothing of them.
  return ofDay === 'equal' || ofDay === 'rounding' ? 'unexplained' : ofDay
}
