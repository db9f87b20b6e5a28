import type { SyncKind, SyncTask } from '@voisol/contract/sync'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { syncTasks, syncWindows } from '../../../db/schema/index.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { BlockFault } from './block.ts'
import type { SyncCall, SyncDayRange } from './cut.ts'
import { updateTaskProgress } from './settle-tasks.ts'

export type NewSyncTask = SyncDayRange & {
  companyId: number
  operationId: string
  credentialId: string
  kind: SyncKind
  trigger: SyncTask['trigger']
  createdBy: string | null
  keyId?: string | undefined
  now: Date
  /** The earliest time of the calls; at once when missing. */
  startAt?: Date
  calls: SyncCall[]
  /** Points that are not requested, each with its reason. */
  blocked?: Map<string, BlockFault>
}
type WindowRow = typeof syncWindows.$inferInsert

const WINDOWS_PER_INSERT = 2000
const NO_CALL_MESSAGE = 'Aucun appel à faire\u00a0: aucun point n’a de jour à demander sur cette période.'

/** Creates a task and its calls. A call that another task is making is left out. */
export async function createSyncTask(tx: Db, task: NewSyncTask): Promise<string> {
  const { companyId, operationId, credentialId, kind, trigger, createdBy, keyId, now, calls, from, to } = task
  const [row] = await tx
    .insert(syncTasks)
    .values({
      companyId,
      operationId,
      credentialId,
      kind,
      trigger,
      createdBy,
      keyId,
      from,
      to,
      status: 'waiting',
      createdAt: now,
      points: new Set(calls.map(({ subject, direction }) => subject + direction)).size,
      ...(calls.length ? {} : { message: NO_CALL_MESSAGE }),
    })
    .returning({ id: syncTasks.id })
  if (!row) throw new Error('no task')
  const windows = calls.map((call) => toWindowRow(task, row.id, call))
  for (let at = 0; at < windows.length; at += WINDOWS_PER_INSERT)
    await insertWindows(tx, windows.slice(at, at + WINDOWS_PER_INSERT))
  await updateTaskProgress(tx, companyId, [row.id], now)
  await enqueue(tx, 'sync.run', { companyId, credentialId }, { once: credentialId })
  return row.id
}

function toWindowRow(
  { companyId, credentialId, kind, now, startAt = now, blocked }: NewSyncTask,
  taskId: string,
  call: SyncCall,
): WindowRow {
  const row = { companyId, id: crypto.randomUUID(), taskId, credentialId, kind, ...call, nextAt: startAt }
  const fault = call.pointId ? blocked?.get(call.pointId) : undefined
  return fault ? { ...row, status: 'failed', fault, finishedAt: now } : { ...row, status: 'waiting' }
}

async function insertWindows(tx: Db, rows: WindowRow[]): Promise<void> {
  const added = await tx
    .insert(syncWindows)
    .values(rows)
    .onConflictDoNothing({
      target: [
        syncWindows.companyId,
        syncWindows.kind,
        syncWindows.subject,
        syncWindows.direction,
        syncWindows.from,
        syncWindows.to,
      ],
      where: sql`status in ('waiting', 'running')`,
    })
    .returning({ id: syncWindows.id })
  const known = new Set(added.map(({ id }) => id))
  const inOtherTasks = rows.filter(({ id }) => !known.has(id ?? ''))
  if (inOtherTasks.length)
    await tx
      .insert(syncWindows)
      .values(inOtherTasks.map((row) => ({ ...row, status: 'skipped', finishedAt: row.nextAt ?? null })))
}
