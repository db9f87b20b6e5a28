import type { SyncKind, SyncTask } from '@voisol/contract/sync'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { syncWindows } from '../../../db/schema/index.ts'

export type SyncJob = { companyId: number; credentialId: string }
/** A call claimed by this run. */
export type ClaimedWindow = {
  id: string
  taskId: string
  kind: SyncKind
  trigger: SyncTask['trigger']
  pointId: string | null
  subject: string
  direction: 'consumption' | 'production' | ''
  from: string
  to: string
  attempts: number
  /** The nature of its last failure. */
  last: string | null
  operationId: string
  acc: string
}

/** Calls that a killed process had started are queued again. */
export const resumeWindows = (db: Db, { companyId, credentialId }: SyncJob) =>
  db
    .update(syncWindows)
    .set({ status: 'waiting' })
    .where(
      and(
        eq(syncWindows.companyId, companyId),
        eq(syncWindows.credentialId, credentialId),
        eq(syncWindows.status, 'running'),
      ),
    )

/** Claims some of the due calls. Calls of a history import come last, because they are many and not urgent. */
export async function claimWindows(db: Db, { companyId, credentialId }: SyncJob, limit: number, now: Date) {
  const { rows } = await db.execute<ClaimedWindow>(sql`
    with due as (
      select w.id from sync_windows w
        join sync_tasks t on t.company_id = w.company_id and t.id = w.task_id
       where w.company_id = ${companyId} and w.credential_id = ${credentialId} and w.status = 'waiting'
         and w.next_at <= ${now.toISOString()}::timestamptz
       order by t.trigger = 'backfill', w.next_at, w.task_id, w.from_day, w.id limit ${limit} for update of w skip locked),
    taken as (
      update sync_windows w set status = 'running' from due
       where w.company_id = ${companyId} and w.id = due.id returning w.*)
    select w.id, w.task_id as "taskId", w.kind, t.trigger, w.point_id as "pointId", w.subject, w.direction,
           w.from_day::text as "from", w.to_day::text as "to", w.attempts, w.fault->>'nature' as last, t.operation_id as "operationId",
           coalesce(o.acc_number, '') as acc
      from taken w join sync_tasks t on t.company_id = ${companyId} and t.id = w.task_id
      join operations o on o.company_id = ${companyId} and o.id = t.operation_id
     order by w.task_id, w.from_day, w.id`)
  return rows
}

/** Milliseconds until the next call is due; null when none waits. */
export async function loadMsUntilDue(db: Db, { companyId, credentialId }: SyncJob, now: Date): Promise<number | null> {
  const { rows } = await db.execute<{ at: string | null }>(sql`
    select extract(epoch from greatest(min(w.next_at), min(c.paused_until))) * 1000 as at
      from sync_windows w join enedis_credentials c on c.company_id = w.company_id and c.id = w.credential_id
     where w.company_id = ${companyId} and w.credential_id = ${credentialId} and w.status = 'waiting'`)
  const at = rows[0]?.at
  return at === null || at === undefined ? null : Math.max(0, Number(at) - now.getTime())
}
