import { sql } from 'drizzle-orm'
import { staleSums } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { column } from './columns.ts'
import { lastDay } from './received.ts'
import { membersOfOperations } from './scope.ts'

/** The latest day of which something is known of the operations. */
export async function keptLastDay(db: Db, companyId: number, operationIds: string[]): Promise<string | null> {
  const stale = await staleSums(db, companyId, operationIds)
  const kept = operationIds.filter((id) => !stale.has(id))
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select max(d.day)::text as day from unnest(${column(kept)}::uuid[]) o(id) cross join lateral (
      select day from operation_days where company_id = ${companyId} and operation_id = o.id and present > 0
       order by day desc limit 1) d`)
  const own = rows[0]?.day ?? null
  if (!stale.size) return own
  const read = await lastDay(db, companyId, await membersOfOperations(db, companyId, [...stale.keys()]))
  return own && read ? (own > read ? own : read) : (own ?? read)
}
