import type { DifferenceCause, DifferenceRow } from '@voisol/contract/reconciliation'
import { addMonths, dayStart, monthOf } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { points as pointTable } from '../../../db/schema/index.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { loadDayFigures } from './day-figures.ts'
import { explainDays } from './day-proofs.ts'
import { compareDays, explainByWhatIfs, getPeriodWithMargin } from './explain.ts'
import type { ComparedPoint } from './memberships.ts'
import { loadPowerLimits } from './powers.ts'
import { type MonthResult, reconcileMonths } from './reconcile.ts'
import { loadStepFigures } from './steps.ts'
import { wattMinutesToWh } from './verdict.ts'

export type DifferenceQuery = {
  month: string
  level: 'month' | 'day' | 'step'
  pointId?: string | undefined
  day?: string | undefined
}
type ComparedSides = { ours: number | null; theirs: number | null; cause: DifferenceCause }

/** The differences of a month: by point, by day, or by step of one point's day. */
export async function listDifferences(
  db: Db,
  { companyId, operationIds }: Actor,
  operationId: string,
  query: DifferenceQuery,
): Promise<DifferenceRow[]> {
  const { level, pointId, day } = query
  const month = monthOf(query.month)
  if (level === 'step') requireStepFilters(month, pointId, day)
  if (pointId) await requireOwnPoint(db, companyId, pointId)
  return readSnapshot(db, async (view) => {
    const asked = { operationId, from: month, to: addMonths(month, 1) }
    const [result] = await reconcileMonths(view, companyId, [asked], operationIds)
    if (!result) return []
    if (level === 'month') return toMonthRows(result).filter((row) => !pointId || row.pointId === pointId)
    const days = await loadDayRows(view, result, pointId, day)
    return level === 'step' ? loadStepRows(view, result, days) : days.map(({ row }) => row)
  })
}

async function requireOwnPoint(db: Db, companyId: number, id: string): Promise<void> {
  const where = and(eq(pointTable.companyId, companyId), eq(pointTable.id, id))
  const [known] = await db.select({ id: pointTable.id }).from(pointTable).where(where)
  if (!known) throw new AppError('not-found')
}

function requireStepFilters(month: string, pointId: string | undefined, day: string | undefined): void {
  if (!pointId) throw fieldError('pointId', 'Choisissez un point\u00a0: les pas se lisent pour un point et un jour.')
  if (!day) throw fieldError('day', 'Choisissez un jour\u00a0: les pas se lisent pour un point et un jour.')
  if (monthOf(day) !== month) throw fieldError('day', 'Ce jour n’est pas dans le mois demandé.')
}

function toDifferenceRow(
  { pointId, prm, label, direction, storage }: ComparedPoint,
  at: string,
  { ours, theirs, cause }: ComparedSides,
): DifferenceRow {
  return {
    pointId,
    prm,
    label,
    direction,
    ...(storage && { storage }),
    at,
    cause,
    oursWh: ours === null ? null : wattMinutesToWh(ours),
    theirsWh: theirs === null ? null : wattMinutesToWh(theirs),
    differenceWh: ours === null || theirs === null ? null : wattMinutesToWh(ours - theirs),
  }
}

/** Producers first, then by name. */
const comparePointOrder = (a: ComparedPoint, b: ComparedPoint) =>
  b.direction.localeCompare(a.direction) || a.label.localeCompare(b.label, 'fr') || a.prm.localeCompare(b.prm)

const toMonthRows = ({ scene, points }: MonthResult) =>
  points.toSorted(comparePointOrder).map((point) => toDifferenceRow(point, scene.month, point))

type DayRow = { point: ComparedPoint; day: string; row: DifferenceRow }

/** Only for points with daily data from the distributor. */
async function loadDayRows(db: Db, { scene, points }: MonthResult, pointId?: string, day?: string): Promise<DayRow[]> {
  const wantedPoints = points.filter((point) => !pointId || point.pointId === pointId).sort(comparePointOrder)
  const ids = wantedPoints.map((point) => point.pointId)
  const differingPoints = points.filter(({ cause }) => cause !== 'equal' && cause !== 'rounding')
  const concerned = [...new Set([...ids, ...differingPoints.map((point) => point.pointId)])]
  const figures = await loadDayFigures(db, scene.companyId, getPeriodWithMargin(scene), concerned)
  const reportedIds = ids.filter((id) => scene.days.some((one) => figures.theirs.get(id)?.has(one)))
  const days = day ? scene.days.filter((one) => one === day) : scene.days
  const judged = compareDays(scene, figures, reportedIds, await loadPowerLimits(db, scene, reportedIds))
  explainDays(scene, figures, judged, differingPoints)
  await explainByWhatIfs(db, scene, judged, [])
  return wantedPoints.flatMap((point) =>
    days.flatMap((at) => {
      const sides = judged.get(point.pointId)?.get(at)
      return sides ? [{ point, day: at, row: toDifferenceRow(point, at, sides) }] : []
    }),
  )
}

/** A different step has the cause of its day. */
async function loadStepRows(db: Db, { scene }: MonthResult, days: DayRow[]): Promise<DifferenceRow[]> {
  const [found] = days
  if (!found) return []
  const { point, day, row } = found
  const { step, ours, theirs } = await loadStepFigures(db, scene, point.pointId, day)
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, at) => {
    const sides = { ours: toValueOrNull(ours[at]), theirs: toValueOrNull(theirs[at]) }
    const instant = new Date((dayStart(day) + at * step) * 60_000).toISOString()
    return toDifferenceRow(point, instant, {
      ...sides,
      cause: getStepCause(sides, Math.max(scene.tolerance.step, step), row.cause),
    })
  })
}

const toValueOrNull = (value: number | undefined) => (value === undefined || value < 0 ? null : value)

function getStepCause(
  { ours, theirs }: Omit<ComparedSides, 'cause'>,
  tolerance: number,
  ofDay: DifferenceCause,
): DifferenceCause {
  if (ours === null || theirs === null) return ofDay === 'membership-dates' ? ofDay : 'missing-data'
  const difference = Math.abs(ours - theirs)
  if (difference === 0) return 'equal'
  if (difference <= tolerance) return 'rounding'
  // When the steps of a day cancel out, the cause of the day does not apply to them.
  return ofDay === 'equal' || ofDay === 'rounding' ? 'unexplained' : ofDay
}
