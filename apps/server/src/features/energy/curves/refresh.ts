import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { PointMonth } from './months.ts'

type OperationMonth = { operationId: string; month: string }

async function listConcernedMonths(tx: Db, companyId: number, touched: PointMonth[]): Promise<OperationMonth[]> {
  if (!touched.length) return []
  const { rows } = await tx.execute<OperationMonth>(sql`
    select distinct p.operation_id as "operationId", t.month::text as month
    from unnest(${sql.param(touched.map(({ pointId }) => pointId))}::uuid[],
      ${sql.param(touched.map(({ month }) => month))}::date[]) t(point_id, month)
    join participations p on p.company_id = ${companyId} and p.point_id = t.point_id
      and p.starts_on < t.month + interval '1 month' and (p.ends_on is null or p.ends_on > t.month)
    order by 1, 2`)
  return rows
}

const distinctOperationIds = (rows: OperationMonth[]) => [...new Set(rows.map(({ operationId }) => operationId))]

/** The operations where the points take part in these months. */
export const listOperationsOfPoints = async (tx: Db, companyId: number, touched: PointMonth[]): Promise<string[]> =>
  distinctOperationIds(await listConcernedMonths(tx, companyId, touched))

/** Enqueues provisional runs of the changed months, and returns their operations. */
export async function enqueueRefreshOfMonths(
  tx: Db,
  companyId: number,
  touched: PointMonth[],
  lot: string,
): Promise<string[]> {
  const rows = await listConcernedMonths(tx, companyId, touched)
  // A refresh already running may have read too early, so each batch enqueues its own.
  for (const { operationId, month } of rows)
    await enqueue(
      tx,
      'allocations.refresh',
      { companyId, operationId, month },
      { once: `${lot} ${operationId} ${month}` },
    )
  return distinctOperationIds(rows)
}
