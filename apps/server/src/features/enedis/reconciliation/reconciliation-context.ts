import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addMonths, dayStart, listDays, minutesOfDay } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { eq, sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import type { ComparedPoint, CoveringRun, DefinitiveQuantity, Memberships, OperationPeriod } from './month-sources.ts'

/** The comparison of one month of an operation. */
export type ReconciliationContext = {
  companyId: number
  operationId: string
  month: string
  /** The past days of the month. */
  days: string[]
  memberships: Memberships
  covered: CoveringRun[]
  tolerance: Tolerance
}
/** The energy of a point in a month, in watt-minutes; null where a side lacks data. */
export type PointMonth = ComparedPoint & {
  ours: number | null
  theirs: number | null
  /** Set when the distributor's figure is a definitive quantity. */
  definitive: DefinitiveQuantity | undefined
  cause: DifferenceCause
}

export const getComparedPeriod = ({ operationId, month }: ReconciliationContext): OperationPeriod => ({
  operationId,
  from: month,
  to: addMonths(month, 1),
})

const KWH_WATT_MINUTES = 60_000

/** How much a definitive quantity can lose by rounding down to whole kilowatt-hours. */
export const getRoundingLoss = (definitive: DefinitiveQuantity | undefined) =>
  definitive?.floored ? definitive.classes * KWH_WATT_MINUTES : 0

/** Equal or within rounding; undefined when another cause is needed. */
export function getCloseness(
  { ours, theirs, definitive }: Pick<PointMonth, 'ours' | 'theirs' | 'definitive'>,
  tolerance: number,
): 'equal' | 'rounding' | undefined {
  if (ours === null || theirs === null) return undefined
  const difference = ours - theirs
  if (difference === 0) return 'equal'
  if (Math.abs(difference) <= tolerance || (difference > 0 && difference < getRoundingLoss(definitive)))
    return 'rounding'
  return undefined
}

/** The past days of a month; later days have no data yet. */
export function listPastDays(month: string): string[] {
  const [next, day] = [addMonths(month, 1), getToday()]
  return listDays(month, day < next ? day : next)
}

/** Watt-hours per point and month. */
const DEFAULT_TOLERANCE_WH = 1000
/** Watt-minutes. */
const WATT_MINUTES_PER_WH = 60

export async function loadTolerance(db: Db, companyId: number): Promise<number> {
  const [row] = await db
    .select({ toleranceWh: syncSettings.toleranceWh })
    .from(syncSettings)
    .where(eq(syncSettings.companyId, companyId))
  return row?.toleranceWh ?? DEFAULT_TOLERANCE_WH
}

/** Largest difference that counts as rounding, in watt-minutes. */
type Tolerance = { month: number; day: (day: string) => number; step: number }

/**
 * The distributor publishes whole watts: a step may differ by one watt, and a month by at most half a watt per step,
 * whatever larger tolerance is configured. A company may configure a smaller monthly one.
 */
export function computeTolerance(toleranceWh: number, month: string, step: Step): Tolerance {
  const minutes = dayStart(addMonths(month, 1)) - dayStart(month)
  return { month: Math.min(toleranceWh * WATT_MINUTES_PER_WH, Math.floor(minutes / 2)), day: minutesOfDay, step }
}

/** The maximum power of a point in watts, which limits what a gap can explain. */
export type PowerLimits = (pointId: string) => number

/** The limit for a point of unknown power: the largest connection of the 36 kVA segment. */
const DEFAULT_WATTS = 36_000

type RatedPoint = { id: string; watts: number | null }
type Row = { pointId: string; day: string; allocated: Buffer }

/** The subscribed or installed power, or less when the point never reached it in the month. */
export async function loadPowerLimits(db: Db, context: ReconciliationContext, ids: string[]): Promise<PowerLimits> {
  const { operationId, from, to } = getComparedPeriod(context)
  const wanted = sql`any(${sql.param(ids)}::uuid[])`
  const { rows: rated } = await db.execute<RatedPoint>(sql`
    select id, case direction when 'production' then peak_watts else subscribed_va end as watts from points
     where company_id = ${context.companyId} and id = ${wanted}`)
  const { rows } = await db.execute<Row>(sql`
    select d.point_id as "pointId", d.day::text, d.allocated from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${context.companyId} and c.operation_id = ${operationId} and c.day >= ${from} and c.day < ${to}
       and d.point_id = ${wanted}`)
  const seen = new Map<string, number>()
  for (const { pointId, day, allocated } of rows) {
    const values = unpackInts(allocated)
    const most = values.reduce((a, b) => Math.max(a, b), 0) / (minutesOfDay(day) / Math.max(1, values.length))
    seen.set(pointId, Math.max(seen.get(pointId) ?? 0, most))
  }
  const given = new Map(rated.map(({ id, watts }) => [id, watts]))
  return (pointId) => Math.min(given.get(pointId) || DEFAULT_WATTS, seen.get(pointId) || Number.POSITIVE_INFINITY)
}
