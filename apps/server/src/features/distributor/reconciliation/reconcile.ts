import { addMonths } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { pointSeat } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import type { Asked } from './asked.ts'
import { explainMonth } from './explain.ts'
import { type Point, readMemberships } from './memberships.ts'
import { pointMonth, readCovered, readOurMonths } from './our-months.ts'
import { daysOver, nearness, type PointMonth, type Scene } from './scene.ts'
import { definitiveOf, readTheirDays, readTheirPeriods, type TheirDays, type TheirPeriod } from './their-months.ts'
import { readTolerance, toleranceOf } from './tolerance.ts'

export type MonthResult = { scene: Scene; points: PointMonth[] }
type Found = { days: TheirDays[]; periods: TheirPeriod[] }

/** The operations that the reader is limited to; null where nothing is withheld from them. */
type Limit = readonly string[] | null

/** The months of the operations for which the distributor gave something, in order of time, each point with its cause. */
export async function reconcile(
  db: Db,
  companyId: number,
  asked: Asked[],
  limit: Limit = null,
): Promise<MonthResult[]> {
  const found = {
    days: await readTheirDays(db, companyId, asked),
    periods: await readTheirPeriods(db, companyId, asked),
  }
  const months = monthsIn(found)
  if (!months.length) return []
  const { scenes, ours } = await prepare(db, companyId, months, found, limit)
  const days = Map.groupBy(found.days, monthKey)
  const periods = Map.groupBy(found.periods, monthKey)
  const results: MonthResult[] = []
  for (const scene of scenes) {
    const given = { days: days.get(monthKey(scene)) ?? [], periods: periods.get(monthKey(scene)) ?? [] }
    const points = compare(scene, given, ours)
    const apart = points.filter(({ cause }) => cause === 'unexplained')
    if (apart.length && scene.covered.length) await explainMonth(db, scene, apart)
    else for (const point of apart) point.cause = 'missing-data'
    results.push({ scene, points })
  }
  return results
}

type Month = { operationId: string; month: string }
const monthKey = ({ operationId, month }: Month) => `${operationId} ${month}`

function monthsIn({ days, periods }: Found): Month[] {
  const all = [...days, ...periods].map(({ operationId, month }) => ({ operationId, month }))
  return [...new Map(all.map((month) => [monthKey(month), month])).values()].sort((a, b) =>
    a.month < b.month ? -1 : 1,
  )
}

async function prepare(db: Db, companyId: number, months: Month[], found: Found, limit: Limit) {
  const asked = [...Map.groupBy(months, ({ operationId }) => operationId)].map(([operationId, own]) => ({
    operationId,
    from: own[0]?.month ?? '',
    to: addMonths(own.at(-1)?.month ?? '', 1),
  }))
  const memberships = await readMemberships(db, companyId, asked)
  await addStrangers(db, companyId, memberships, found, limit)
  const wanted = new Set(months.map(monthKey))
  const covered = (await readCovered(db, companyId, asked)).filter((run) => wanted.has(monthKey(run)))
  const byMonth = Map.groupBy(covered, monthKey)
  const steps = await readSteps(db, companyId, asked)
  const toleranceWh = await readTolerance(db, companyId)
  const scenes = months.flatMap(({ operationId, month }): Scene[] => {
    const own = memberships.get(operationId)
    if (!own) return []
    const days = daysOver(month)
    const tolerance = toleranceOf(toleranceWh, month, steps.get(operationId) ?? 15)
    return [
      {
        companyId,
        operationId,
        month,
        days,
        tolerance,
        memberships: own,
        covered: byMonth.get(monthKey({ operationId, month })) ?? [],
      },
    ]
  })
  return { scenes, ours: await readOurMonths(db, companyId, covered) }
}

async function readSteps(db: Db, companyId: number, asked: Asked[]): Promise<Map<string, Step>> {
  const { rows } = await db.execute<{ id: string; step: Step }>(sql`
    select id, step_minutes as step from operations
     where company_id = ${companyId} and id = any(${sql.param(asked.map(({ operationId }) => operationId))}::uuid[])`)
  return new Map(rows.map(({ id, step }) => [id, step]))
}

/**
 * Points the distributor counts in an operation that they have never been in by our own account. Whoever is limited to
 * some operations knows a point of another by the number that the distributor gave, and by nothing else.
 */
async function addStrangers(
  db: Db,
  companyId: number,
  memberships: Awaited<ReturnType<typeof readMemberships>>,
  { days, periods }: Found,
  limit: Limit,
): Promise<void> {
  const unknown = [...days, ...periods].filter((row) => !memberships.get(row.operationId)?.points.has(row.pointId))
  if (!unknown.length) return
  const ids = [...new Set(unknown.map(({ pointId }) => pointId))]
  const { rows } = await db.execute<Point>(sql`
    select id as "pointId", prm, ${strangerSeat(companyId, limit)} as label, direction, storage from points
     where company_id = ${companyId} and id = any(${sql.param(ids)}::uuid[])`)
  const known = new Map(rows.map((row) => [row.pointId, row]))
  for (const { operationId, pointId } of unknown) {
    const point = known.get(pointId)
    if (point) memberships.get(operationId)?.points.set(pointId, point)
  }
}

function strangerSeat(companyId: number, limit: Limit) {
  if (!limit) return pointSeat(companyId, sql`points`)
  const seen = sql`any(${sql.param([...limit])}::uuid[])`
  return sql`case when exists (
      select from participations m
       where m.company_id = ${companyId} and m.point_id = points.id and m.operation_id = ${seen})
    then ${pointSeat(companyId, sql`points`, undefined, seen)} else '' end`
}

/** What is equal or close is told at once; the rest is still unexplained. */
function compare(scene: Scene, given: Found, ours: Map<string, number>): PointMonth[] {
  const theirDays = new Map(given.days.map((row) => [row.pointId, row.energy]))
  const theirPeriods = Map.groupBy(given.periods, ({ pointId }) => pointId)
  const { points, inOurs, inTheirs } = scene.memberships
  const told = new Set([...theirDays.keys(), ...theirPeriods.keys()])
  const directions = new Set([...told].map((id) => points.get(id)?.direction))
  const { operationId, month, days, covered } = scene
  return [...points.values()].flatMap((point): PointMonth[] => {
    const { pointId, direction } = point
    // The distributor may give one direction alone: the other is not compared.
    if (!directions.has(direction)) return []
    const known = ours.get(pointMonth(operationId, month, pointId))
    if (known !== undefined && theirDays.has(pointId) && !theirPeriods.has(pointId))
      return [judge({ ...point, ours: known, theirs: theirDays.get(pointId) ?? 0, definitive: undefined }, scene)]
    const taking = days.filter((day) => inOurs(pointId, day))
    if (known === undefined && !told.has(pointId) && !taking.length) return []
    const computed = taking.some((day) => covered.some(({ first, last }) => first <= day && day <= last))
    const own = known ?? (computed || !taking.length ? 0 : null)
    const due = taking.filter((day) => inTheirs(pointId, day) !== false)
    const quantity = definitiveOf(theirPeriods.get(pointId) ?? [], due)
    const definitive = quantity && (quantity.covers || !theirDays.has(pointId)) ? quantity : undefined
    const outside = days.every((day) => inTheirs(pointId, day) === false)
    const theirs = definitive ? definitive.wh * 60 : (theirDays.get(pointId) ?? (outside ? 0 : null))
    return [judge({ ...point, ours: own, theirs, definitive }, scene)]
  })
}

const judge = (point: Omit<PointMonth, 'cause'>, { tolerance }: Scene): PointMonth => ({
  ...point,
  cause: nearness(point, tolerance.month) ?? 'unexplained',
})
