import { addMonths } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { explainMonth } from './explain-differences.ts'
import {
  type ComparedPoint,
  chooseDefinitiveQuantity,
  type DistributorMonthSum,
  type DistributorPeriod,
  getPointMonthKey,
  loadAllocatedMonths,
  loadCoveringRuns,
  loadDistributorMonthSums,
  loadDistributorPeriods,
  loadMemberships,
  type OperationPeriod,
} from './month-sources.ts'
import {
  computeTolerance,
  getCloseness,
  listPastDays,
  loadTolerance,
  type PointMonth,
  type ReconciliationContext,
} from './reconciliation-context.ts'

export type MonthResult = { scene: ReconciliationContext; points: PointMonth[] }
type DistributorData = { days: DistributorMonthSum[]; periods: DistributorPeriod[] }

/** The operations that the user is limited to; null without a limit. */
type OperationLimit = readonly string[] | null

/** The months with data from the distributor, in order, with the cause of each point. */
export async function reconcileMonths(
  db: Db,
  companyId: number,
  requested: OperationPeriod[],
  limit: OperationLimit = null,
): Promise<MonthResult[]> {
  const found = {
    days: await loadDistributorMonthSums(db, companyId, requested),
    periods: await loadDistributorPeriods(db, companyId, requested),
  }
  const months = listMonthsGiven(found)
  if (!months.length) return []
  const { scenes, ours } = await prepareComparisons(db, companyId, months, found, limit)
  const days = Map.groupBy(found.days, getMonthKey)
  const periods = Map.groupBy(found.periods, getMonthKey)
  const results: MonthResult[] = []
  for (const scene of scenes) {
    const given = { days: days.get(getMonthKey(scene)) ?? [], periods: periods.get(getMonthKey(scene)) ?? [] }
    const points = comparePoints(scene, given, ours)
    const differingPoints = points.filter(({ cause }) => cause === 'unexplained')
    if (differingPoints.length && scene.covered.length) await explainMonth(db, scene, differingPoints)
    else for (const point of differingPoints) point.cause = 'missing-data'
    results.push({ scene, points })
  }
  return results
}

type OperationMonth = { operationId: string; month: string }
const getMonthKey = ({ operationId, month }: OperationMonth) => `${operationId} ${month}`

function listMonthsGiven({ days, periods }: DistributorData): OperationMonth[] {
  const all = [...days, ...periods].map(({ operationId, month }) => ({ operationId, month }))
  return [...new Map(all.map((month) => [getMonthKey(month), month])).values()].sort((a, b) =>
    a.month < b.month ? -1 : 1,
  )
}

async function prepareComparisons(
  db: Db,
  companyId: number,
  months: OperationMonth[],
  found: DistributorData,
  limit: OperationLimit,
) {
  const asked = [...Map.groupBy(months, ({ operationId }) => operationId)].map(([operationId, own]) => ({
    operationId,
    from: own[0]?.month ?? '',
    to: addMonths(own.at(-1)?.month ?? '', 1),
  }))
  const memberships = await loadMemberships(db, companyId, asked)
  await addUnknownPoints(db, companyId, memberships, found, limit)
  const wanted = new Set(months.map(getMonthKey))
  const covered = (await loadCoveringRuns(db, companyId, asked)).filter((run) => wanted.has(getMonthKey(run)))
  const byMonth = Map.groupBy(covered, getMonthKey)
  const steps = await loadSteps(db, companyId, asked)
  const toleranceWh = await loadTolerance(db, companyId)
  const scenes = months.flatMap(({ operationId, month }): ReconciliationContext[] => {
    const own = memberships.get(operationId)
    if (!own) return []
    const days = listPastDays(month)
    const tolerance = computeTolerance(toleranceWh, month, steps.get(operationId) ?? 15)
    return [
      {
        companyId,
        operationId,
        month,
        days,
        tolerance,
        memberships: own,
        covered: byMonth.get(getMonthKey({ operationId, month })) ?? [],
      },
    ]
  })
  return { scenes, ours: await loadAllocatedMonths(db, companyId, covered) }
}

async function loadSteps(db: Db, companyId: number, requested: OperationPeriod[]): Promise<Map<string, Step>> {
  const { rows } = await db.execute<{ id: string; step: Step }>(sql`
    select id, step_minutes as step from operations
     where company_id = ${companyId} and id = any(${sql.param(requested.map(({ operationId }) => operationId))}::uuid[])`)
  return new Map(rows.map(({ id, step }) => [id, step]))
}

/**
 * Adds points that are in the distributor's operation but never were in ours. A user limited to some operations sees a
 * point of another operation by its PRM only.
 */
async function addUnknownPoints(
  db: Db,
  companyId: number,
  memberships: Awaited<ReturnType<typeof loadMemberships>>,
  { days, periods }: DistributorData,
  limit: OperationLimit,
): Promise<void> {
  const unknown = [...days, ...periods].filter((row) => !memberships.get(row.operationId)?.points.has(row.pointId))
  if (!unknown.length) return
  const ids = [...new Set(unknown.map(({ pointId }) => pointId))]
  const { rows } = await db.execute<ComparedPoint>(sql`
    select id as "pointId", prm, ${buildUnknownPointLabel(companyId, limit)} as label, direction, storage from points
     where company_id = ${companyId} and id = any(${sql.param(ids)}::uuid[])`)
  const known = new Map(rows.map((row) => [row.pointId, row]))
  for (const { operationId, pointId } of unknown) {
    const point = known.get(pointId)
    if (point) memberships.get(operationId)?.points.set(pointId, point)
  }
}

function buildUnknownPointLabel(companyId: number, limit: OperationLimit) {
  if (!limit) return pointNameOnDaySql(companyId, sql`points`)
  const seen = sql`any(${sql.param([...limit])}::uuid[])`
  return sql`case when exists (
      select from participations m
       where m.company_id = ${companyId} and m.point_id = points.id and m.operation_id = ${seen})
    then ${pointNameOnDaySql(companyId, sql`points`, undefined, seen)} else '' end`
}

/** Classifies equal and close values at once; the rest starts as unexplained. */
function comparePoints(
  context: ReconciliationContext,
  given: DistributorData,
  ours: Map<string, number>,
): PointMonth[] {
  const theirDays = new Map(given.days.map((row) => [row.pointId, row.energy]))
  const theirPeriods = Map.groupBy(given.periods, ({ pointId }) => pointId)
  const { points, inOurs, inTheirs } = context.memberships
  const reportedPoints = new Set([...theirDays.keys(), ...theirPeriods.keys()])
  const directions = new Set([...reportedPoints].map((id) => points.get(id)?.direction))
  const { operationId, month, days, covered } = context
  return [...points.values()].flatMap((point): PointMonth[] => {
    const { pointId, direction } = point
    // The distributor may give one direction only: the other is not compared.
    if (!directions.has(direction)) return []
    const known = ours.get(getPointMonthKey(operationId, month, pointId))
    if (known !== undefined && theirDays.has(pointId) && !theirPeriods.has(pointId))
      return [
        judgePoint({ ...point, ours: known, theirs: theirDays.get(pointId) ?? 0, definitive: undefined }, context),
      ]
    const taking = days.filter((day) => inOurs(pointId, day))
    if (known === undefined && !reportedPoints.has(pointId) && !taking.length) return []
    const computed = taking.some((day) => covered.some(({ first, last }) => first <= day && day <= last))
    const own = known ?? (computed || !taking.length ? 0 : null)
    const due = taking.filter((day) => inTheirs(pointId, day) !== false)
    const quantity = chooseDefinitiveQuantity(theirPeriods.get(pointId) ?? [], due)
    const definitive = quantity && (quantity.covers || !theirDays.has(pointId)) ? quantity : undefined
    const outside = days.every((day) => inTheirs(pointId, day) === false)
    const theirs = definitive ? definitive.wh * 60 : (theirDays.get(pointId) ?? (outside ? 0 : null))
    return [judgePoint({ ...point, ours: own, theirs, definitive }, context)]
  })
}

const judgePoint = (point: Omit<PointMonth, 'cause'>, { tolerance }: ReconciliationContext): PointMonth => ({
  ...point,
  cause: getCloseness(point, tolerance.month) ?? 'unexplained',
})
