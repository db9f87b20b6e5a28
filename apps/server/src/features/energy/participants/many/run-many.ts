import type { BulkAction } from '@voisol/contract/bulk'
import { and, eq, sql } from 'drizzle-orm'
import { applyConfirmedChange } from '../../../../core/shown.ts'
import { type Db, scopeToCompany, transaction } from '../../../../db/client.ts'
import { bulkRuns } from '../../../../db/schema/index.ts'
import type { Deps } from '../../../../deps.ts'
import { AppError } from '../../../../http/errors.ts'
import { authorizeJob } from '../../../../http/job-actor.ts'
import { performBulkAction, requireBulkPermission, toBulkChange } from './many.ts'

type BulkRunRef = { companyId: number; runId: string }
type BulkRunRow = typeof bulkRuns.$inferSelect

const isThisRun = ({ companyId, runId }: BulkRunRef) => and(eq(bulkRuns.companyId, companyId), eq(bulkRuns.id, runId))

async function markRunEnded(db: Db, job: BulkRunRef, values: Partial<BulkRunRow>) {
  await db
    .update(bulkRuns)
    .set({ finishedAt: new Date(), ...values })
    .where(and(isThisRun(job), eq(bulkRuns.status, 'running')))
}

/** Runs a bulk action and stores its result in one transaction: an interruption leaves all or nothing. */
export async function executeBulkRun(deps: Deps, job: BulkRunRef): Promise<void> {
  const db = scopeToCompany(deps.db, job.companyId)
  try {
    await transaction(db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`bulk run ${job.runId}`}, 0))`)
      const [row] = await tx.select().from(bulkRuns).where(isThisRun(job))
      if (row?.status !== 'running') return
      const requester = { companyId: job.companyId, userId: row.createdBy }
      const actor = await authorizeJob(tx, requester, { permission: 'participants.write' })
      requireBulkPermission(actor, row.action as BulkAction) // validated by the contract
      const perform = (trackedDb: Db) => performBulkAction({ tx: trackedDb, actor, post: deps, ip: '' }, row)
      const confirmContext = { db: tx, secrets: deps.secrets, actor }
      const confirmation = { shown: row.shown ?? undefined }
      const report = row.dryRun
        ? await perform(tx)
        : await applyConfirmedChange(confirmContext, toBulkChange(row.seal), confirmation, perform)
      await markRunEnded(tx, job, { status: 'done', report })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await markRunEnded(db, job, { status: 'failed', message: error.message })
  }
}
