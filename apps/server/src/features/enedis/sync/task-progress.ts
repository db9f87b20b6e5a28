import { formatCount, formatFrenchNumber } from '@voisol/file-formats/french'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { syncTasks } from '../../../db/schema/index.ts'

type TaskCounts = {
  windows: number
  done: number
  failed: number
  calls: number
  readings: number
  newDays: number
  changedDays: number
  sameDays: number
}
/** What a batch adds to its task; completed calls are counted from their own rows. */
export type AddedCounts = Omit<TaskCounts, 'windows' | 'done' | 'failed'>
const NO_ADDED_COUNTS: AddedCounts = { calls: 0, readings: 0, newDays: 0, changedDays: 0, sameDays: 0 }
const EMPTY_COUNTS: TaskCounts = { windows: 0, done: 0, failed: 0, ...NO_ADDED_COUNTS }

type TaskRow = typeof syncTasks.$inferSelect
type WindowCounts = {
  taskId: string
  windows: number
  done: number
  failed: number
  skipped: number
  reason: string | null
}

export const toTaskCounts = (row: Pick<TaskRow, 'counts'>): TaskCounts => ({
  ...EMPTY_COUNTS,
  ...(row.counts as Partial<TaskCounts>),
}) // written below

const countWindowsByTask = async (tx: Db, companyId: number, ids: string[]): Promise<Map<string, WindowCounts>> => {
  const { rows } = await tx.execute<WindowCounts>(sql`
    select task_id as "taskId", count(*)::int as windows, count(*) filter (where status in ('done', 'skipped'))::int as done,
      count(*) filter (where status = 'failed')::int as failed, count(*) filter (where status = 'skipped')::int as skipped,
      min(fault->>'explanation') filter (where status = 'failed') as reason
    from sync_windows where company_id = ${companyId} and task_id = any(${sql.param(ids)}::uuid[]) group by task_id`)
  return new Map(rows.map((row) => [row.taskId, row]))
}

/** Recounts tasks, and ends those whose calls have all ended. */
export async function updateTaskProgress(
  tx: Db,
  companyId: number,
  ids: string[],
  now: Date,
  added: Map<string, AddedCounts> = new Map(),
): Promise<void> {
  const where = and(eq(syncTasks.companyId, companyId), inArray(syncTasks.id, ids))
  const rows = await tx.select().from(syncTasks).where(where).orderBy(syncTasks.id).for('update')
  const found = await countWindowsByTask(tx, companyId, ids)
  for (const row of rows) {
    const windowCounts = found.get(row.id) ?? {
      taskId: row.id,
      windows: 0,
      done: 0,
      failed: 0,
      skipped: 0,
      reason: null,
    }
    const counts = sumCounts(toTaskCounts(row), windowCounts, added.get(row.id) ?? NO_ADDED_COUNTS)
    await tx
      .update(syncTasks)
      .set({ counts, ...getTaskState(row, counts, windowCounts, now) })
      .where(and(eq(syncTasks.companyId, companyId), eq(syncTasks.id, row.id)))
  }
}

const sumCounts = (before: TaskCounts, { windows, done, failed }: WindowCounts, more: AddedCounts): TaskCounts => ({
  windows,
  done,
  failed,
  calls: before.calls + more.calls,
  readings: before.readings + more.readings,
  newDays: before.newDays + more.newDays,
  changedDays: before.changedDays + more.changedDays,
  sameDays: before.sameDays + more.sameDays,
})

function getTaskState(row: TaskRow, counts: TaskCounts, windowCounts: WindowCounts, now: Date): Partial<TaskRow> {
  if (row.status === 'cancelled') return {}
  const { windows, done, failed } = counts
  if (done + failed < windows)
    return counts.calls || done || failed ? { status: 'running', startedAt: row.startedAt ?? now } : {}
  const status = failed === 0 ? 'succeeded' : failed === windows ? 'failed' : 'partial'
  const message = windows ? buildTaskMessage(row.kind, counts, windowCounts) : row.message
  return { status, message, startedAt: row.startedAt ?? now, finishedAt: now }
}

function buildTaskMessage(kind: string, counts: TaskCounts, { skipped, reason }: WindowCounts): string {
  const days = [
    counts.newDays && formatCount(counts.newDays, 'journée ajoutée', 'journées ajoutées'),
    counts.changedDays &&
      formatCount(counts.changedDays, 'journée corrigée ou complétée', 'journées corrigées ou complétées'),
    counts.sameDays && formatCount(counts.sameDays, 'journée déjà connue', 'journées déjà connues'),
  ].filter(Boolean)
  const sentences = [
    days.length
      ? `${days.join(', ')}.`
      : counts.failed < counts.windows && kind === 'load-curve' && 'Aucun relevé reçu.',
    kind !== 'load-curve' &&
      counts.done > skipped &&
      `${formatCount(counts.done - skipped, 'appel réussi', 'appels réussis')}.`,
    skipped && `${formatCount(skipped, 'appel déjà en cours', 'appels déjà en cours')} dans une autre synchronisation.`,
    counts.failed &&
      `${formatFrenchNumber(counts.failed)} ${counts.failed < 2 ? 'appel a échoué' : 'appels ont échoué'}${reason ? `\u00a0: ${reason}` : '.'}`,
  ]
  return sentences.filter(Boolean).join(' ')
}
