import { minutesOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { getComparedPeriod, type ReconciliationContext } from './scene.ts'

/** The most that a step of a point can hold, in watts: what a hole explains has its bound there. */
export type PowerLimits = (pointId: string) => number

/** The largest connection that is metered without a word on its power. */
const DEFAULT_WATTS = 36_000

type RatedPoint = { id: string; watts: number | null }
type Row = { pointId: string; day: string; allocated: Buffer }

/** What was subscribed or installed, and no more than the point had at any step that is known of the month. */
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
