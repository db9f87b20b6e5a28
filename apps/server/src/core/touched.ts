import { sql } from 'drizzle-orm'
import type { Db, TouchedDays } from '../db/client.ts'
import { ESTIMATE_WINDOW_DAYS } from './stale.ts'

/** A month of an operation with affected computed days, and its definitive runs in force. */
export type TouchedMonth = { operationId: string; month: string; runIds: string[] }

/** The same transaction, collecting all days that its events affect. */
export function trackTouchedMonths(tx: Db): { db: Db; touched: TouchedDays[] } {
  const touched: TouchedDays[] = []
  return { db: Object.assign(Object.create(tx), { $touched: touched }), touched }
}

const uuids = (ids: string[]) => sql`${sql.param(ids)}::uuid[]`
/** An estimate reads neighbouring days, so days around it are affected too, as in `markRunsOutdated`. */
const estimateMarginSql = sql`case when r.estimated then ${ESTIMATE_WINDOW_DAYS}::int else 0 end`

/** Runs marked by this transaction itself, started at `now`, were valid before it. */
const queryTouchedMonths = (
  tx: Db,
  companyId: number,
  now: string,
  { operationIds = [], pointIds = [], from, to }: TouchedDays,
) =>
  tx.execute<TouchedMonth>(sql`
    select c.operation_id as "operationId", date_trunc('month', c.day)::date::text as month,
           coalesce(array_agg(distinct r.id) filter (
             where r.kind = 'definitive' and (r.stale_at is null or r.stale_at = ${now}::timestamptz)), '{}') as "runIds"
      from allocation_coverage c
      join allocation_runs r on r.company_id = c.company_id and r.id = c.run_id
     where c.company_id = ${companyId}
       and c.day + ${estimateMarginSql} >= ${from}::date and (${to}::date is null or c.day - ${estimateMarginSql} < ${to}::date)
       and (c.operation_id = any(${uuids(operationIds)}) or exists (
         select 1 from participations p
          where p.company_id = ${companyId} and p.operation_id = c.operation_id
            and p.point_id = any(${uuids(pointIds)})
            and p.starts_on <= c.day + ${estimateMarginSql} and (p.ends_on is null or p.ends_on + ${estimateMarginSql} > c.day)))
     group by 1, 2`)

/** The months in which a change affects a day with a run, in chronological order. */
export async function listTouchedMonths(tx: Db, companyId: number, touched: TouchedDays[]): Promise<TouchedMonth[]> {
  const found = new Map<string, TouchedMonth>()
  // A separate query: in a cluster, the machine of the rows has a clock and a transaction of its own.
  const { rows: clock } = await tx.execute<{ now: string }>(sql`select now()::text as now`)
  const now = clock[0]?.now ?? ''
  for (const one of touched)
    for (const row of (await queryTouchedMonths(tx, companyId, now, one)).rows) {
      const key = `${row.month} ${row.operationId}`
      const runIds = [...new Set([...(found.get(key)?.runIds ?? []), ...row.runIds])].sort()
      found.set(key, { ...row, runIds })
    }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, month]) => month)
}
