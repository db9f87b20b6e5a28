import type { SyncKind, SyncTask } from '@voisol/contract/sync'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { syncTasks, syncWindows } from '../../../db/schema/index.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { BlockFault } from './block.ts'
import type { Call, Span } from './cut.ts'
import { settleTasks } from './settle-tasks.ts'

export type NewTask = Span & {
  companyId: number
  operationId: string
  credentialId: string
  kind: SyncKind
  trigger: SyncTask['trigger']
  createdBy: string | null
  keyId?: string | undefined
  now: Date
  /** The calls wait until then; made at once where it is not said. */
  startAt?: Date
  calls: Call[]
  /** Points that are not asked for, each with the reason. */
  blocked?: Map<string, BlockFault>
}
type WindowRow = typeof syncWindows.$inferInsert

const CHUNK = 2000
const NONE = 'Aucun appel à faire\u00a0: aucun point n’a de jour à demander sur cette période.'

/** Writes a task and its calls. A call that another task has in flight is not made twice. */
export async function createTask(tx: Db, task: NewTask): Promise<string> {
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
      ...(calls.length ? {} : { message: NONE }),
    })
    .returning({ id: syncTasks.id })
  if (!row) throw new Error('no task')
  const windows = calls.map((call) => windowOf(task, row.id, call))
  for (let at = 0; at < windows.length; at += CHUNK) await addWindows(tx, windows.slice(at, at + CHUNK))
  await settleTasks(tx, companyId, [row.id], now)
  await enqueue(tx, 'sync.run', { companyId, credentialId }, { once: credentialId })
  return row.id
}

function windowOf(
  { companyId, credentialId, kind, now, startAt = now, blocked }: NewTask,
  taskId: string,
  call: Call,
): WindowRow {
  const row = { companyId, id: crypto.randomUUID(), taskId, credentialId, kind, ...call, nextAt: startAt }
  const fault = call.pointId ? blocked?.get(call.pointId) : undefined
  return fault ? { ...row, status: 'failed', fault, finishedAt: now } : { ...row, status: 'waiting' }
}

async function addWindows(tx: Db, rows: WindowRow[]): Promise<void> {
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
  const elsewhere = rows.filter(({ id }) => !known.has(id ?? ''))
  if (elsewhere.length)
    await tx
      .insert(syncWindows)
      .values(elsewhere.map((row) => ({ ...row, status: 'skipped', finishedAt: row.nextAt ?? null })))
}
