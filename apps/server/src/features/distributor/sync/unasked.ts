import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { syncTasks } from '../../../db/schema/index.ts'
import { findJobRefusal } from '../../../http/job-actor.ts'
import type { SyncJob } from './claim.ts'
import { endSyncTask } from './task-changes.ts'

/**
 * Ends the tasks of users who have lost the permission, before any further call. A user limited to some operations
 * never has it, since it covers the whole company.
 */
export async function endUnauthorizedTasks(db: Db, { companyId, credentialId }: SyncJob, now: Date): Promise<void> {
  const open = and(
    eq(syncTasks.credentialId, credentialId),
    isNull(syncTasks.finishedAt),
    isNotNull(syncTasks.createdBy),
  )
  const tasks = await db
    .select({
      id: syncTasks.id,
      userId: syncTasks.createdBy,
      keyId: syncTasks.keyId,
    })
    .from(syncTasks)
    .where(and(eq(syncTasks.companyId, companyId), open))
  for (const { id, ...requester } of tasks) {
    const refusal = await findJobRefusal(db, { companyId, ...requester }, { permission: 'sync.write' })
    if (refusal) await transaction(db, (tx) => endSyncTask(tx, companyId, id, refusal.message, now))
  }
}
