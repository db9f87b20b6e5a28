import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import type { RunRequest } from './runs.ts'
import { enqueueRun, startRun } from './start.ts'

type OperationMonth = { companyId: number; operationId: string; month: string }
const KEPT_PROVISIONAL_RUNS = 3

/** Makes the provisional run of a month anew if anything it reads has changed. */
export const refreshProvisionalRun = (db: Db, { companyId, operationId, month }: OperationMonth) =>
  transaction(db, async (tx) => {
    const from = monthOf(month)
    const next = addMonths(from, 1)
    const to = next < getToday() ? next : getToday()
    if (from >= to) return
    const request: RunRequest = { companyId, operationId, from, to, kind: 'provisional', estimated: false }
    await deleteOldProvisionalRuns(tx, request)
    if (await hasDefinitiveRun(tx, request)) return
    try {
      await startRun(tx, request, null)
    } catch (error) {
      // Nothing to share yet, or a run at work that looks at its input once more before it ends.
      if (!(error instanceof AppError)) throw error
    }
  })

/** A definitive run that still follows from its input says all there is to say. */
async function hasDefinitiveRun(tx: Db, { companyId, operationId, from, to }: RunRequest): Promise<boolean> {
  const [run] = await tx
    .select({ id: allocationRuns.id })
    .from(allocationRuns)
    .where(
      and(
        eq(allocationRuns.companyId, companyId),
        eq(allocationRuns.operationId, operationId),
        eq(allocationRuns.kind, 'definitive'),
        eq(allocationRuns.status, 'done'),
        isNull(allocationRuns.staleAt),
        sql`${allocationRuns.startsOn} <= ${from} and ${allocationRuns.endsOn} >= ${to}`,
      ),
    )
    .limit(1)
  return run !== undefined
}

/** Provisional runs of the month that hold nowhere any more, but the last few. */
const deleteOldProvisionalRuns = (tx: Db, { companyId, operationId, from }: RunRequest) =>
  tx.execute(sql`
    delete from allocation_runs old
     where old.company_id = ${companyId} and old.id in (
       select id from allocation_runs
        where company_id = ${companyId} and operation_id = ${operationId} and kind = 'provisional'
          and starts_on = ${from} and ends_on <= ${addMonths(from, 1)} and status in ('done', 'failed')
        order by created_at desc offset ${KEPT_PROVISIONAL_RUNS})
       and not exists (
         select 1 from allocation_coverage c where c.company_id = ${companyId} and c.run_id = old.id)`)

const STUCK_RUN_AGE = sql`interval '2 hours'`

/** Every night: the current and the previous month of every active operation, and runs that lost their job. */
export async function enqueueNightlyRefresh(db: Db) {
  const current = monthOf(getToday())
  const { rows: active } = await db.execute<{ companyId: number; operationId: string }>(
    sql`select company_id as "companyId", id as "operationId" from operations where status = 'active' order by 1, 2`,
  )
  for (const operation of active)
    for (const month of [addMonths(current, -1), current]) await enqueueRefresh(db, { ...operation, month })
  const { rows: stuckRuns } = await db.execute<{ companyId: number; id: string }>(sql`
    select company_id as "companyId", id from allocation_runs
     where status in ('queued', 'running') and created_at < now() - ${STUCK_RUN_AGE}`)
  for (const run of stuckRuns) await enqueueRun(db, run)
}

/** One request at a time for a month: those that wait already will see the latest readings. */
export const enqueueRefresh = (tx: Db, input: OperationMonth) =>
  enqueue(tx, 'allocations.refresh', input, { once: `${input.operationId} ${input.month}` })
