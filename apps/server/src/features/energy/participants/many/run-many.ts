import type { BulkAction } from '@voisol/contract/bulk'
import { and, eq, sql } from 'drizzle-orm'
import { confirmed } from '../../../../core/shown.ts'
import { type Db, forCompany, transaction } from '../../../../db/client.ts'
import { bulkRuns } from '../../../../db/schema/index.ts'
import type { Deps } from '../../../../deps.ts'
import { AppError } from '../../../../http/errors.ts'
import { authorizeJob } from '../../../../http/job-actor.ts'
import { changeOf, performMany, requireRight } from './many.ts'

type Job = { companyId: number; runId: string }
type Row = typeof bulkRuns.$inferSelect

const one = ({ companyId, runId }: Job) => and(eq(bulkRuns.companyId, companyId), eq(bulkRuns.id, runId))

async function end(db: Db, job: Job, values: Partial<Row>) {
  await db
    .update(bulkRuns)
    .set({ finishedAt: new Date(), ...values })
    .where(and(one(job), eq(bulkRuns.status, 'running')))
}

/** What was asked for many, whole or not at all, with its result: cut at any moment, it has happened or it has not. */
export async function runMany(deps: Deps, job: Job): Promise<void> {
  const db = forCompany(deps.db, job.companyId)
  try {
    await transaction(db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`bulk run ${job.runId}`}, 0))`)
      const [row] = await tx.select().from(bulkRuns).where(one(job))
      if (row?.status !== 'running') return
      const asker = { companyId: job.companyId, userId: row.createdBy }
      const actor = await authorizeJob(tx, asker, { permission: 'participants.write' })
      requireRight(actor, row.action as BulkAction) // what the contract let in
      const perform = (watched: Db) => performMany({ tx: watched, actor, post: deps, ip: '' }, row)
      const asking = { db: tx, secrets: deps.secrets, actor }
      const word = { shown: row.shown ?? undefined }
      const report = row.dryRun ? await perform(tx) : await confirmed(asking, changeOf(row.seal), word, perform)
      await end(tx, job, { status: 'done', report })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await end(db, job, { status: 'failed', message: error.message })
  }
}
