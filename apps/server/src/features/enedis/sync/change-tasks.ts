import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { syncTasks, syncWindows } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { enqueueRefreshOfMonths } from '../../energy/curves/index.ts'
import { updateTaskProgress } from './task-progress.ts'
import { loadSyncTask } from './task-queries.ts'

const whereTaskWindows = (companyId: number, id: string) =>
  and(eq(syncWindows.companyId, companyId), eq(syncWindows.taskId, id))
const buildConflict = (message: string) => new AppError('conflict', { message })

/** Cancels unanswered calls; stored data stays. */
export async function endSyncTask(tx: Db, companyId: number, id: string, message: string, now: Date): Promise<void> {
  await tx
    .update(syncWindows)
    .set({ status: 'skipped', finishedAt: now })
    .where(and(whereTaskWindows(companyId, id), inArray(syncWindows.status, ['waiting', 'running'])))
  await tx
    .update(syncTasks)
    .set({ status: 'cancelled', finishedAt: now, message })
    .where(and(eq(syncTasks.companyId, companyId), eq(syncTasks.id, id)))
  await updateTaskProgress(tx, companyId, [id], now)
  await requestRefreshOfEndedTasks(tx, companyId, [id])
}

export async function cancelSyncTask(tx: Db, actor: Actor, id: string, now = new Date()) {
  const before = await loadSyncTask(tx, actor, id)
  if (before.finishedAt) throw buildConflict('Cette synchronisation est déjà terminée.')
  await endSyncTask(tx, actor.companyId, id, 'Abandonnée. Ce qui était déjà reçu est enregistré.', now)
  return { before, after: await loadSyncTask(tx, actor, id) }
}

/**
 * Repeats failed calls with the permissions of whoever retries, except those of blocked points or already made by
 * another task.
 */
export async function retrySyncTask(tx: Db, actor: Actor, id: string, now = new Date()) {
  const before = await loadSyncTask(tx, actor, id)
  if (!before.finishedAt) throw buildConflict('Cette synchronisation n’est pas terminée.')
  if (!before.counts.failed) throw buildConflict('Aucun appel de cette synchronisation n’a échoué.')
  const { rowCount } = await tx.execute(sql`
    update sync_windows w set status = 'waiting', attempts = 0, fault = null, finished_at = null,
           next_at = ${now.toISOString()}::timestamptz
     where w.company_id = ${actor.companyId} and w.task_id = ${id} and w.status = 'failed'
       and not exists (select 1 from point_links l where l.company_id = ${actor.companyId} and l.point_id = w.point_id
                        and l.blocked_at is not null)
       and not exists (select 1 from sync_windows o where o.company_id = ${actor.companyId} and o.kind = w.kind
                        and o.subject = w.subject and o.direction = w.direction and o.from_day = w.from_day
                        and o.to_day = w.to_day and o.status in ('waiting', 'running'))`)
  if (!rowCount)
    throw buildConflict(
      'Rien à reprendre\u00a0: les appels de ces points sont arrêtés, ou déjà repris par une autre synchronisation. Reprenez d’abord les appels du point.',
    )
  const [task] = await tx
    .update(syncTasks)
    .set({ status: 'waiting', finishedAt: null, message: '', createdBy: actor.userId, keyId: actor.keyId ?? null })
    .where(and(eq(syncTasks.companyId, actor.companyId), eq(syncTasks.id, id)))
    .returning()
  if (!task) throw new AppError('not-found')
  await updateTaskProgress(tx, actor.companyId, [id], now)
  const { companyId, credentialId } = task
  await enqueue(tx, 'sync.run', { companyId, credentialId }, { once: credentialId })
  return { before, after: await loadSyncTask(tx, actor, id) }
}

/** Computes new figures once a task has ended: a long task would otherwise request them after every batch. */
export async function requestRefreshOfEndedTasks(tx: Db, companyId: number, taskIds: string[]): Promise<void> {
  const { rows } = await tx.execute<{ taskId: string; pointId: string; month: string }>(sql`
    select distinct t.id as "taskId", d.point_id as "pointId", date_trunc('month', d.day)::date::text as month
      from sync_tasks t
      join (select distinct company_id, task_id, point_id from sync_windows
             where company_id = ${companyId} and task_id = any(${sql.param(taskIds)}::uuid[]) and point_id is not null) w
        on w.company_id = t.company_id and w.task_id = t.id
      join curve_days d on d.company_id = t.company_id and d.point_id = w.point_id and d.day >= t.from_day
       and d.day < t.to_day and d.superseded_at is null and d.source = 'enedis' and d.received_at >= t.started_at
     where t.company_id = ${companyId} and t.id = any(${sql.param(taskIds)}::uuid[]) and t.kind = 'load-curve'
       and t.finished_at is not null`)
  for (const [taskId, touched] of Map.groupBy(rows, (row) => row.taskId))
    await enqueueRefreshOfMonths(tx, companyId, touched, `${taskId} ended`)
}
