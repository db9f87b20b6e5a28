import { sql } from 'drizzle-orm'
import { staleSums } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { column } from './columns.ts'
import type { Spans } from './fresh.ts'
import { lastDay } from './received.ts'
import { membersOfOperations } from './scope.ts'

/** The latest day of which something is known, of each of the operations that have one. */
export async function keptLastDays(
  db: Db,
  companyId: number,
  operationIds: string[],
  known?: Spans,
): Promise<Map<string, string>> {
  const stale = known ?? (await staleSums(db, companyId, operationIds))
  const kept = operationIds.filter((id) => !stale.has(id))
  const { rows } = await db.execute<{ id: string; day: string }>(sql`
    select o.id, d.day::text as day from unnest(${column(kept)}::uuid[]) o(id) cross join lateral (
      select day from operation_days where company_id = ${companyId} and operation_id = o.id and present > 0
       order by day desc limit 1) d`)
  const found = new Map(rows.map(({ id, day }) => [id, day]))
  for (const id of stale.keys()) {
    const day = await lastDay(db, companyId, await membersOfOperations(db, companyId, [id]))
    if (day !== null) found.set(id, day)
  }
  return found
}

/** The latest of all of them. */
export async function keptLastDay(db: Db, companyId: number, operationIds: string[]): Promise<string | null> {
  const days = [...(await keptLastDays(db, companyId, operationIds)).values()]
  return days.reduce<string | null>((last, day) => (last === null || day > last ? day : last), null)
}
