import { and, eq, inArray, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { pointLinks, points, syncTasks, syncWindows } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { DistributorFault } from '../../../integrations/enedis/enedis-faults.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { loadPoint, pointScope } from '../../energy/participants/index.ts'
import { updateTaskProgress } from './task-progress.ts'

const DAY_MS = 24 * 3_600_000
/**
 * The distributor has returned this code for thousands of points whose holder had not moved: one retry is made before
 * it is accepted.
 */
export const DOUBTFUL_FAULT_CODE = 'ADAM-DC-0007'

/** Why and since when a point is not requested, and whether a doubtful refusal has been retried. */
export type BlockFault = DistributorFault & { since?: string; retried?: boolean }
export type PointLink = Omit<typeof pointLinks.$inferSelect, 'fault'> & { fault: BlockFault | null }

type BlockPointInput = { companyId: number; pointId: string; fault: DistributorFault; at: Date }

/** Stops the calls of a point and ends its waiting ones. Returns the tasks concerned and the stored fault. */
export async function blockPoint(tx: Db, blocked: BlockPointInput) {
  const { companyId, pointId, fault, at } = blocked
  const mine = and(eq(pointLinks.companyId, companyId), eq(pointLinks.pointId, pointId))
  const [link] = await tx.select().from(pointLinks).where(mine).for('update')
  const before = link?.fault as BlockFault | null | undefined // what was written below
  const same = before?.code === fault.code ? before : undefined
  const kept = { ...fault, since: same?.since ?? at.toISOString(), retried: same?.retried ?? false }
  await tx
    .insert(pointLinks)
    .values({ companyId, pointId, blockedAt: at, fault: kept })
    .onConflictDoUpdate({
      target: [pointLinks.companyId, pointLinks.pointId],
      set: { blockedAt: at, fault: kept },
    })
  const over = await tx
    .update(syncWindows)
    .set({ status: 'failed', fault, finishedAt: at })
    .where(
      and(eq(syncWindows.companyId, companyId), eq(syncWindows.pointId, pointId), eq(syncWindows.status, 'waiting')),
    )
    .returning({ taskId: syncWindows.taskId })
  return { taskIds: over.map(({ taskId }) => taskId), refusal: { pointId, fault: kept } }
}

/** Retries points whose doubtful refusal is a day old. */
export async function retryDoubtfulPoints(tx: Db, companyId: number, now: Date): Promise<void> {
  await tx.execute(sql`
    update point_links set blocked_at = null, fault = fault || '{"retried": true}'
    where company_id = ${companyId} and blocked_at <= ${new Date(now.getTime() - DAY_MS).toISOString()}::timestamptz
      and fault->>'code' = ${DOUBTFUL_FAULT_CODE} and coalesce(fault->>'retried', 'false') = 'false'`)
}

/** Used when the consent is back or the refusal was wrong. */
export async function resumePoint(tx: Db, actor: Actor, id: string) {
  const point = await loadPoint(tx, actor, id)
  await tx
    .update(pointLinks)
    .set({ blockedAt: null, fault: null })
    .where(and(eq(pointLinks.companyId, actor.companyId), eq(pointLinks.pointId, id)))
  return point
}

/**
 * Resumes all blocked points, or those of one operation, and repeats their failed calls at once. Returns their number.
 */
export async function resumePoints(
  tx: Db,
  actor: Actor,
  { operationId }: { operationId?: string | undefined },
  now = new Date(),
) {
  const { companyId } = actor
  if (operationId) await requireVisibleOperation(tx, actor, operationId)
  const inOperation = operationId
    ? sql`exists (select 1 from participations m where m.company_id = ${points.companyId}
         and m.operation_id = ${operationId} and m.point_id = ${points.id})`
    : undefined
  const rows = await tx
    .select({ id: points.id })
    .from(points)
    .innerJoin(pointLinks, and(eq(pointLinks.companyId, points.companyId), eq(pointLinks.pointId, points.id)))
    .where(and(pointScope(actor), inOperation, sql`${pointLinks.blockedAt} is not null`))
    .orderBy(points.id)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return 0
  await tx
    .update(pointLinks)
    .set({ blockedAt: null, fault: null })
    .where(and(eq(pointLinks.companyId, companyId), inArray(pointLinks.pointId, ids)))
  await requeueFailedCalls(tx, companyId, ids, now)
  return ids.length
}

/** Older days are requested by the daily sync or manually. */
const RETRIED_DAYS = 31

async function requeueFailedCalls(tx: Db, companyId: number, pointIds: string[], now: Date): Promise<void> {
  const since = new Date(now.getTime() - RETRIED_DAYS * DAY_MS).toISOString()
  const { rows } = await tx.execute<{ taskId: string; credentialId: string }>(sql`
    update sync_windows w set status = 'waiting', attempts = 0, fault = null, finished_at = null,
           next_at = ${now.toISOString()}::timestamptz
      from (select distinct on (f.kind, f.subject, f.direction, f.from_day, f.to_day) f.id from sync_windows f
              join sync_tasks t on t.company_id = f.company_id and t.id = f.task_id and t.status <> 'cancelled'
             where f.company_id = ${companyId} and f.point_id = any(${sql.param(pointIds)}::uuid[]) and f.status = 'failed'
               and f.fault->>'nature' = 'consent' and f.finished_at > ${since}::timestamptz
               and not exists (select 1 from sync_windows o where o.company_id = ${companyId} and o.kind = f.kind
                     and o.subject = f.subject and o.direction = f.direction and o.from_day = f.from_day
                     and o.to_day = f.to_day and o.status in ('waiting', 'running'))
             order by f.kind, f.subject, f.direction, f.from_day, f.to_day, f.finished_at desc) g
     where w.company_id = ${companyId} and w.id = g.id
    returning w.task_id as "taskId", w.credential_id as "credentialId"`)
  const taskIds = [...new Set(rows.map(({ taskId }) => taskId))]
  if (!taskIds.length) return
  await tx
    .update(syncTasks)
    .set({ status: 'waiting', finishedAt: null, message: '' })
    .where(and(eq(syncTasks.companyId, companyId), inArray(syncTasks.id, taskIds)))
  await updateTaskProgress(tx, companyId, taskIds, now)
  for (const credentialId of new Set(rows.map((row) => row.credentialId)))
    await enqueue(tx, 'sync.run', { companyId, credentialId }, { once: credentialId })
}
