import { minutesOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { getComparedPeriod, type ReconciliationContext } from './scene.ts'

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
