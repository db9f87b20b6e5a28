import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import type { RunRequest } from './allocation-runs.ts'
import { enqueueRun, startRun } from './start-run.ts'

type OperationMonth = { companyId: number; operationId: string; month: string }
const KEPT_PROVISIONAL_RUNS = 3

/** Computes the provisional run of a month again if any of its inputs changed. */
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
      // Nothing to allocate yet, or a run in progress that checks its input again before it ends.
      if (!(error instanceof AppError)) throw error
    }
  })

/** Whether a definitive run with unchanged input exists: a provisional one is then useless. */
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

/** Deletes the month's provisional runs that are no longer in force, except the last few. */
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

/**
 * Runs every night: refreshes the current and previous month of every active operation, and runs whose job was lost.
 */
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

/** One queued refresh per month: a waiting one will read the latest data. */
const enqueueRefresh = (tx: Db, input: OperationMonth) =>
  enqueue(tx, 'allocations.refresh', input, { once: `${input.operationId} ${input.month}` })
