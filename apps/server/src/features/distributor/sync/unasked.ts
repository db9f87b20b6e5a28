import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { syncTasks } from '../../../db/schema/index.ts'
import { refusalOf } from '../../../http/job-actor.ts'
import type { Job } from './claim.ts'
import { endTask } from './task-changes.ts'

/**
 * Ends what somebody wanted who may not ask for it any more, before another of its calls is made. Whoever is limited to
 * some operations never may: the right is one over the whole company.
 */
export async function endUnasked(db: Db, { companyId, credentialId }: Job, now: Date): Promise<void> {
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
  for (const { id, ...asker } of tasks) {
    const refusal = await refusalOf(db, { companyId, ...asker }, { permission: 'sync.write' })
    if (refusal) await transaction(db, (tx) => endTask(tx, companyId, id, refusal.message, now))
  }
}
