import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { PointMonth } from './months.ts'

/** Asks for fresh provisional figures of the months that changed, and says of which operations. */
export async function askRefresh(
  tx: Db,
  companyId: number,
  touched: PointMonth[],
  importId: string,
): Promise<string[]> {
  if (!touched.length) return []
  const { rows } = await tx.execute<{ operationId: string; month: string }>(sql`
    select distinct p.operation_id as "operationId", t.month::text as month
    from unnest(${sql.param(touched.map(({ pointId }) => pointId))}::uuid[],
      ${sql.param(touched.map(({ month }) => month))}::date[]) t(point_id, month)
    join participations p on p.company_id = ${companyId} and p.point_id = t.point_id
      and p.starts_on < t.month + interval '1 month' and (p.ends_on is null or p.ends_on > t.month)
    order by 1, 2`)
  // One that is at work for another import may have read too early: each import asks for its own.
  for (const { operationId, month } of rows)
    await enqueue(
      tx,
      'allocations.refresh',
      { companyId, operationId, month },
      { once: `${importId} ${operationId} ${month}` },
    )
  return [...new Set(rows.map(({ operationId }) => operationId))]
}
