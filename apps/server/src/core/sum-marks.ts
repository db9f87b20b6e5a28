import { sql } from 'drizzle-orm'
import type { Db, TouchedDays } from '../db/client.ts'
import { RETURNING_ONE } from '../db/gathered.ts'
import { enqueue, isLaterJobPending } from '../jobs/queue.ts'

/** Days from `from` until `to`. */
type Days = { from: string; to: string }

const uuids = (ids: string[]) => sql`${sql.param(ids)}::uuid[]`
/** Transactions that have sent for the sums. A key would send once for all of them, and have them wait for one another. */
const transactionsWithRefresh = new WeakSet<Db>()
/** Seconds: files come point by point, and each would have the same months summed again. */
const REFRESH_DELAY_SECONDS = 15
/** A mark without an end reaches as far as anything does. */
export const OPEN_END_DAY = '9999-01-01'

/**
 * Says that the kept sums of these days no longer follow from what they were made of. In the transaction of the change:
 * whoever sees the change sees the mark, and reads those days themselves until they are summed again.
 */
export async function markRollupsStale(tx: Db, companyId: number, touched: TouchedDays[]): Promise<void> {
  const some = touched.filter(({ operationIds, pointIds }) => operationIds?.length || pointIds?.length)
  if (!some.length) return
  for (const { operationIds = [], pointIds = [], from, to } of some)
    await tx.execute(sql`
      insert into sum_marks (company_id, operation_ids, point_ids, starts_on, ends_on)
      values (${companyId}, ${uuids(operationIds)}, ${uuids(pointIds)}, ${from}, ${to})`)
  // A command without a queue leaves it to the look of every quarter of an hour.
  if (transactionsWithRefresh.has(tx) || !tx.$jobs.queue) return
  transactionsWithRefresh.add(tx)
  // One that starts before this is kept misses it: the look of every quarter of an hour finds it, and marked days are read as they are.
  if (await isLaterJobPending(tx, 'energy.sums', companyId)) return
  await enqueue(tx, 'energy.sums', { companyId }, { after: REFRESH_DELAY_SECONDS })
}

/** Marks name points and not the operations they were in: somebody else may be moving them at the same time. */
const staleDaysSql = (companyId: number) => sql`
  select o.id as operation_id, m.starts_on, m.ends_on
    from sum_marks m cross join unnest(m.operation_ids) o(id) where m.company_id = ${companyId}
  union
  select p.operation_id, m.starts_on, m.ends_on
    from sum_marks m cross join unnest(m.point_ids) d(id)
    join participations p on p.company_id = ${companyId} and p.point_id = d.id
     and (m.ends_on is null or p.starts_on < m.ends_on) and (p.ends_on is null or p.ends_on > m.starts_on)
   where m.company_id = ${companyId}`

/** The days of each operation whose sums are not to be read, in order and apart from one another. */
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

/** Of every operation and day: what came from elsewhere may have been summed by another version, or not at all. */
export const markAllRollupsStale = (tx: Db, companyId: number) =>
  tx.execute(sql`insert into sum_marks (company_id, operation_ids, starts_on)
    select company_id, array_agg(id), '2000-01-01' from operations where company_id = ${companyId} group by company_id ${RETURNING_ONE}`)
