import { sql } from 'drizzle-orm'
import type { Db, Touched } from '../db/client.ts'
import { enqueue } from '../jobs/queue.ts'

export type Change = Touched & { reason: string }

type Marked = { id: string; kind: string; operationId: string; startsOn: string; endsOn: string }

/** From the first day of a month to the first of the next at most. */
const ofOneMonth = ({ startsOn, endsOn }: Marked) =>
  startsOn.endsWith('-01') && endsOn <= Temporal.PlainDate.from(startsOn).add({ months: 1 }).toString()

export const LOCK = 0x616c6c6f

/**
 * Whoever changes what runs read holds this together with the others; the end of a run holds it alone.
 * So a change is either seen by the last look of a run at its input, or finds the run done and marks it.
 */
export const shareInputs = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock_shared(${LOCK}, ${companyId})`)
export const holdInputs = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, ${companyId})`)

const uuids = (ids: string[]) => sql`${sql.param(ids)}::uuid[]`

/** An estimate looks that many days back, and as many ahead. */
export const ESTIMATE_DAYS = 28
const around = sql`case when r.estimated then ${ESTIMATE_DAYS}::int else 0 end`

/**
 * Marks the finished runs whose figures no longer follow from their input: those of the operations, or of the operations
 * in which the points take part, over a period that overlaps [from, to). A run is marked once; the first reason stays.
 */
export async function markStale(tx: Db, companyId: number, change: Change): Promise<void> {
  const { operationIds = [], pointIds = [], from, to, reason } = change
  if (!operationIds.length && !pointIds.length) return
  tx.$touched?.push({ operationIds, pointIds, from, to })
  await shareInputs(tx, companyId)
  const { rows } = await tx.execute<Marked>(sql`
    update allocation_runs r set stale_at = now(), stale_reason = ${reason}
     where r.company_id = ${companyId} and r.status = 'done' and r.stale_at is null
       and r.ends_on + ${around} > ${from}::date and (${to}::date is null or r.starts_on - ${around} < ${to}::date)
       and (r.operation_id = any(${uuids(operationIds)}) or exists (
         select 1 from participations p
          where p.company_id = ${companyId} and p.operation_id = r.operation_id
            and p.point_id = any(${uuids(pointIds)})
            and p.starts_on < r.ends_on and (${to}::date is null or p.starts_on - ${around} < ${to}::date)
            and (p.ends_on is null or p.ends_on > r.starts_on and p.ends_on + ${around} > ${from}::date)))
    returning r.id, r.kind, r.operation_id as "operationId", r.starts_on as "startsOn", r.ends_on as "endsOn"`)
  await followUp(tx, companyId, rows)
}

/** The provisional figures of a month are made anew by themselves; a definitive run is for a person to decide. */
async function followUp(tx: Db, companyId: number, marked: Marked[]) {
  const runIds = marked.filter(({ kind }) => kind === 'definitive').map(({ id }) => id)
  if (runIds.length) await enqueue(tx, 'allocations.stale', { companyId, runIds })
  for (const run of marked)
    if (run.kind === 'provisional' && ofOneMonth(run))
      await enqueue(tx, 'allocations.refresh', { companyId, operationId: run.operationId, month: run.startsOn })
}
