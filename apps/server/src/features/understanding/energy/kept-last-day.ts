import { sql } from 'drizzle-orm'
import { listStaleRollups } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { toSqlArray } from './columns.ts'
import type { StaleRanges } from './fresh.ts'
import { loadLastDayOfMembers } from './received.ts'
import { listMembersOfOperations } from './scope.ts'

/** The last day with data, of each operation that has any. */
export async function loadLastDaysByOperation(
  db: Db,
  companyId: number,
  operationIds: string[],
  knownStaleRanges?: StaleRanges,
): Promise<Map<string, string>> {
  const stale = knownStaleRanges ?? (await listStaleRollups(db, companyId, operationIds))
  const freshOperationIds = operationIds.filter((id) => !stale.has(id))
  const { rows } = await db.execute<{ id: string; day: string }>(sql`
    select o.id, d.day::text as day from unnest(${toSqlArray(freshOperationIds)}::uuid[]) o(id) cross join lateral (
      select day from operation_days where company_id = ${companyId} and operation_id = o.id and present > 0
       order by day desc limit 1) d`)
  const found = new Map(rows.map(({ id, day }) => [id, day]))
  for (const id of stale.keys()) {
    const day = await loadLastDayOfMembers(db, companyId, await listMembersOfOperations(db, companyId, [id]))
    if (day !== null) found.set(id, day)
  }
  return found
}

/** The latest of these days. */
export async function loadLastDayOfOperations(
  db: Db,
  companyId: number,
  operationIds: string[],
): Promise<string | null> {
  const days = [...(await loadLastDaysByOperation(db, companyId, operationIds)).values()]
  return days.reduce<string | null>((last, day) => (last === null || day > last ? day : last), null)
}
