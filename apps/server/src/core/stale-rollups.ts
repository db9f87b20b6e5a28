import { sql } from 'drizzle-orm'
import { RETURNING_ONE } from '../db/citus.ts'
import type { Db, TouchedDays } from '../db/client.ts'
import { enqueue, isLaterJobPending } from '../jobs/queue.ts'

/** Days from `from` until `to`. */
type Days = { from: string; to: string }

const uuids = (ids: string[]) => sql`${sql.param(ids)}::uuid[]`
/**
 * Transactions that already enqueued a refresh. A singleton key instead would make concurrent transactions wait for one
 * another.
 */
const transactionsWithRefresh = new WeakSet<Db>()
/** Files arrive point by point: without a delay, each would recompute the same months. */
const REFRESH_DELAY_SECONDS = 15
/** Stands for no end. */
const OPEN_END_DAY = '9999-01-01'

/**
 * Marks the rollups of these days as stale, in the transaction of the change: whoever sees the change sees the mark,
 * and reads the source data of those days until they are recomputed.
 */
export async function markRollupsStale(tx: Db, companyId: number, touched: TouchedDays[]): Promise<void> {
  const some = touched.filter(({ operationIds, pointIds }) => operationIds?.length || pointIds?.length)
  if (!some.length) return
  for (const { operationIds = [], pointIds = [], from, to } of some)
    await tx.execute(sql`
      insert into sum_marks (company_id, operation_ids, point_ids, starts_on, ends_on)
      values (${companyId}, ${uuids(operationIds)}, ${uuids(pointIds)}, ${from}, ${to})`)
  // A command without a job queue leaves it to the check every quarter of an hour.
  if (transactionsWithRefresh.has(tx) || !tx.$jobs.queue) return
  transactionsWithRefresh.add(tx)
  // A refresh that starts before this commits misses it: the check every quarter of an hour finds it, and marked days
  // are read from the source.
  if (await isLaterJobPending(tx, 'energy.sums', companyId)) return
  await enqueue(tx, 'energy.sums', { companyId }, { after: REFRESH_DELAY_SECONDS })
}

/** Marks name points rather than their operations, which may be changing at the same time. */
const staleDaysSql = (companyId: number) => sql`
  select o.id as operation_id, m.starts_on, m.ends_on
    from sum_marks m cross join unnest(m.operation_ids) o(id) where m.company_id = ${companyId}
  union
  select p.operation_id, m.starts_on, m.ends_on
    from sum_marks m cross join unnest(m.point_ids) d(id)
    join participations p on p.company_id = ${companyId} and p.point_id = d.id
     and (m.ends_on is null or p.starts_on < m.ends_on) and (p.ends_on is null or p.ends_on > m.starts_on)
   where m.company_id = ${companyId}`

/** The days of each operation whose rollups are stale, sorted and disjoint. */
export async function listStaleRollups(
  db: Db,
  companyId: number,
  operationIds?: string[],
): Promise<Map<string, Days[]>> {
  const { rows } = await db.execute<Days & { operationId: string }>(sql`
    select operation_id as "operationId", starts_on::text as "from", coalesce(ends_on, ${OPEN_END_DAY})::text as "to"
      from (${staleDaysSql(companyId)}) s
     where ${operationIds ? sql`operation_id = any(${uuids(operationIds)})` : sql`true`} order by starts_on`)
  const found = new Map<string, Days[]>()
  for (const { operationId, from, to } of rows) {
    const spans = found.get(operationId) ?? []
    found.set(operationId, spans)
    const last = spans.at(-1)
    if (!last || from > last.to) spans.push({ from, to })
    else if (to > last.to) last.to = to
  }
  return found
}

/** Marks every operation and day: imported data may have been summed by another version, or not at all. */
export const markAllRollupsStale = (tx: Db, companyId: number) =>
  tx.execute(sql`insert into sum_marks (company_id, operation_ids, starts_on)
    select company_id, array_agg(id), '2000-01-01' from operations where company_id = ${companyId} group by company_id ${RETURNING_ONE}`)
