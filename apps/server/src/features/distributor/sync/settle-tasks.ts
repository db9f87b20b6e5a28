import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { syncTasks } from '../../../db/schema/index.ts'
import { frenchNumber, plural } from '../../../french.ts'

export type Counts = {
  windows: number
  done: number
  failed: number
  calls: number
  readings: number
  newDays: number
  changedDays: number
  sameDays: number
}
/** What a batch adds to its task; the calls that are over are counted from their own rows. */
export type Added = Omit<Counts, 'windows' | 'done' | 'failed'>
export const NOTHING: Added = { calls: 0, readings: 0, newDays: 0, changedDays: 0, sameDays: 0 }
const EMPTY: Counts = { windows: 0, done: 0, failed: 0, ...NOTHING }

type TaskRow = typeof syncTasks.$inferSelect
type Standing = {
  taskId: string
  windows: number
  done: number
  failed: number
  skipped: number
  reason: string | null
}

export const countsOf = (row: Pick<TaskRow, 'counts'>): Counts => ({ ...EMPTY, ...(row.counts as Partial<Counts>) }) // written below

const standings = async (tx: Db, companyId: number, ids: string[]): Promise<Map<string, Standing>> => {
  const { rows } = await tx.execute<Standing>(sql`
    select task_id as "taskId", count(*)::int as windows, count(*) filter (where status in ('done', 'skipped'))::int as done,
      count(*) filter (where status = 'failed')::int as failed, count(*) filter (where status = 'skipped')::int as skipped,
      min(fault->>'explanation') filter (where status = 'failed') as reason
    from sync_windows where company_id = ${companyId} and task_id = any(${sql.param(ids)}::uuid[]) group by task_id`)
  return new Map(rows.map((row) => [row.taskId, row]))
}

/** Counts tasks again, and ends those whose calls are all over. */
export async function settleTasks(
  tx: Db,
  companyId: number,
  ids: string[],
  now: Date,
  added: Map<string, Added> = new Map(),
): Promise<void> {
  const where = and(eq(syncTasks.companyId, companyId), inArray(syncTasks.id, ids))
  const rows = await tx.select().from(syncTasks).where(where).orderBy(syncTasks.id).for('update')
  const found = await standings(tx, companyId, ids)
  for (const row of rows) {
    const standing = found.get(row.id) ?? {
      taskId: row.id,
      windows: 0,
      done: 0,
      failed: 0,
      skipped: 0,
      reason: null,
    }
    const counts = summed(countsOf(row), standing, added.get(row.id) ?? NOTHING)
    await tx
      .update(syncTasks)
      .set({ counts, ...stateOf(row, counts, standing, now) })
      .where(and(eq(syncTasks.companyId, companyId), eq(syncTasks.id, row.id)))
  }
}

const summed = (before: Counts, { windows, done, failed }: Standing, more: Added): Counts => ({
  windows,
  done,
  failed,
  calls: before.calls + more.calls,
  readings: before.readings + more.readings,
  newDays: before.newDays + more.newDays,
  changedDays: before.changedDays + more.changedDays,
  sameDays: before.sameDays + more.sameDays,
})

function stateOf(row: TaskRow, counts: Counts, standing: Standing, now: Date): Partial<TaskRow> {
  if (row.status === 'cancelled') return {}
  const { windows, done, failed } = counts
  if (done + failed < windows)
    return counts.calls || done || failed ? { status: 'running', startedAt: row.startedAt ?? now } : {}
  const status = failed === 0 ? 'succeeded' : failed === windows ? 'failed' : 'partial'
  const message = windows ? messageOf(row.kind, counts, standing) : row.message
  return { status, message, startedAt: row.startedAt ?? now, finishedAt: now }
}

function messageOf(kind: string, counts: Counts, { skipped, reason }: Standing): string {
  const days = [
    counts.newDays && plural(counts.newDays, 'journée ajoutée', 'journées ajoutées'),
    counts.changedDays &&
      plural(counts.changedDays, 'journée corrigée ou complétée', 'journées corrigées ou complétées'),
    counts.sameDays && plural(counts.sameDays, 'journée déjà connue', 'journées déjà connues'),
  ].filter(Boolean)
  const sentences = [
    days.length
      ? `${days.join(', ')}.`
      : counts.failed < counts.windows && kind === 'load-curve' && 'Aucun relevé reçu.',
    kind !== 'load-curve' &&
      counts.done > skipped &&
      `${plural(counts.done - skipped, 'appel réussi', 'appels réussis')}.`,
    skipped && `${plural(skipped, 'appel déjà en cours', 'appels déjà en cours')} dans une autre synchronisation.`,
    counts.failed &&
      `${frenchNumber(counts.failed)} ${counts.failed < 2 ? 'appel a échoué' : 'appels ont échoué'}${reason ? `\u00a0: ${reason}` : '.'}`,
  ]
  return sentences.filter(Boolean).join(' ')
}
