import type { RetentionCounts } from '@voisol/contract/retention'
import { RETENTION_KINDS, type RetentionKind } from '@voisol/contract/retention-kinds'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { loadFirstRetainedDay, lockCompany } from '../../../core/company-state.ts'
import { deleteUnreferencedFiles } from '../../../core/stored-files.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { auditEntries, auditStarts, retentionRuns, retiredCurves } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import { storeSumsHashes } from '../../energy/allocation/index.ts'
import { signChainStart } from '../../identity/audit/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { eraseDueParticipants } from '../../portal/erasure/index.ts'
import { createRetentionPreview, getFirstKeptDay, loadEffectiveRetention, OLD_ROWS } from './retention.ts'

type EffectiveRetention = Awaited<ReturnType<typeof loadEffectiveRetention>>

/** The open report, or a new one: an interrupted run continues in its own report. */
async function openReport(tx: Db, companyId: number, { months, seal }: EffectiveRetention) {
  const open = and(
    eq(retentionRuns.companyId, companyId),
    eq(retentionRuns.stage, 'pass'),
    isNull(retentionRuns.finishedAt),
  )
  const [known] = await tx.select().from(retentionRuns).where(open).orderBy(desc(retentionRuns.createdAt)).limit(1)
  if (known) return known
  const [made] = await tx
    .insert(retentionRuns)
    .values({ companyId, stage: 'pass', months, seal, counts: {} })
    .returning()
  if (!made) throw new Error('no report')
  return made
}

/** Adds the rows deleted now to those deleted earlier, for one kind. */
export function addCounts(
  counts: RetentionCounts,
  kind: RetentionKind,
  months: DeletedBatch['months'],
): RetentionCounts {
  const before = counts[kind] ?? { count: 0, months: {} }
  const sum = { ...before.months }
  for (const [month, n] of Object.entries(months)) sum[month] = (sum[month] ?? 0) + n
  return { ...counts, [kind]: { count: Object.values(sum).reduce((all, n) => all + n, 0), months: sum } }
}

/**
 * Deletes a batch and updates the report in one transaction. The confirmation is checked again, since a setting may
 * have changed meanwhile.
 */
const deleteBatch = (deps: Deps, companyId: number, kind: RetentionKind): Promise<DeletedBatch | null> =>
  transaction(deps.db, async (tx) => {
    await lockCompany(tx, companyId)
    const effective = await loadEffectiveRetention(tx, companyId)
    if (!effective.confirmed) return null
    const before = getFirstKeptDay(kind, effective.months, getToday())
    const taken = await DELETE_BATCH_BY_KIND[kind]({ tx, deps, companyId, before })
    if (!Object.keys(taken.months).length) return taken
    const report = await openReport(tx, companyId, effective)
    await tx
      .update(retentionRuns)
      .set({ counts: addCounts(report.counts, kind, taken.months) })
      .where(and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.id, report.id)))
    return taken
  })

const closeReport = (db: Db, companyId: number) =>
  db
    .update(retentionRuns)
    .set({ finishedAt: new Date() })
    .where(
      and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.stage, 'pass'), isNull(retentionRuns.finishedAt)),
    )

/** Deletes what has passed its retention period, batch by batch. After an interruption the next run continues. */
async function deleteExpiredData(deps: Deps, companyId: number, signal?: AbortSignal): Promise<void> {
  for (const kind of RETENTION_KINDS)
    for (let more = true; more; ) {
      signal?.throwIfAborted()
      const taken = await deleteBatch(deps, companyId, kind)
      more = taken?.more ?? false
    }
  await closeReport(deps.db, companyId)
}

/** Once for each set of durations: counts what they would delete and notifies those who can confirm it. */
const previewAndNotify = (deps: Deps, companyId: number) =>
  transaction(deps.db, async (tx) => {
    await lockCompany(tx, companyId)
    const { seal } = await loadEffectiveRetention(tx, companyId)
    const seen = and(
      eq(retentionRuns.companyId, companyId),
      eq(retentionRuns.stage, 'preview'),
      eq(retentionRuns.seal, seal),
    )
    const [known] = await tx.select({ id: retentionRuns.id }).from(retentionRuns).where(seen).limit(1)
    if (known) return
    const counts = await createRetentionPreview(tx, companyId)
    if (!Object.values(counts).some(({ count }) => count > 0)) return
    await notify(tx, deps, {
      companyId,
      to: { permission: 'companies.write' },
      category: 'account',
      type: 'info',
      priority: 'normal',
      title: 'Des données ont dépassé leur durée de conservation',
      message: 'Rien n’est supprimé sans vous\u00a0: regardez ce qui le serait, puis acceptez ou changez les durées.',
      action: { label: 'Voir ce qui serait supprimé', url: '/settings?onglet=vie-des-donnees' },
      key: `retention ${seal}`,
    })
  })

export async function applyRetention(deps: Deps, companyId: number, signal?: AbortSignal): Promise<void> {
  await eraseDueParticipants(deps.db, companyId)
  const { confirmed } = await loadEffectiveRetention(deps.db, companyId)
  await (confirmed ? deleteExpiredData(deps, companyId, signal) : previewAndNotify(deps, companyId))
}

/** Number of rows deleted in one transaction by month, and whether more are left. */
type DeletedBatch = { months: Record<string, number>; more: boolean }
type DeleteBatchInput = { tx: Db; deps: Pick<Deps, 'secrets'>; companyId: number; before: string }

const DELETED_ROWS_PER_BATCH = 2000
const NOTHING_DELETED: DeletedBatch = { months: {}, more: false }

const countByMonth = (months: string[]) =>
  Object.fromEntries([...Map.groupBy(months, (month) => month)].map(([month, all]) => [month, all.length]))

/**
 * Deletes the earliest month that still has steps. Its totals are hashed first, so that its runs can still be verified
 * without the steps.
 */
async function deleteCurves({ tx, companyId, before }: DeleteBatchInput): Promise<DeletedBatch> {
  const done = await loadFirstRetainedDay(tx, companyId)
  const { rows } = await tx.execute<{ day: string | null }>(sql`
    select min(day)::text as day from curve_days where company_id = ${companyId} and day >= ${done ?? '1970-01-01'}`)
  const from = monthOf(rows[0]?.day ?? before)
  if (from >= before) return NOTHING_DELETED
  const to = addMonths(from, 1)
  await storeSumsHashes(tx, companyId, { from, to })
  const gone = await tx.execute<{ n: string }>(sql`select retire_curves(${companyId}, ${from}::date) as n`)
  await tx.execute(sql`delete from operation_steps where company_id = ${companyId} and day >= ${from} and day < ${to}`)
  await tx.execute(sql`delete from operation_hours where company_id = ${companyId} and month = ${from}`)
  await tx
    .insert(retiredCurves)
    .values({ companyId, before: to })
    .onConflictDoUpdate({ target: retiredCurves.companyId, set: { before: to } })
  return { months: { [from.slice(0, 7)]: Number(gone.rows[0]?.n ?? 0) }, more: to < before }
}

type Row = { id: string; month: string; file: string | null }

/** The oldest rows of a kind, locked with `skip locked`: two concurrent runs take different ones. */
async function lockOldestRows(
  { tx, companyId, before }: DeleteBatchInput,
  kind: keyof typeof OLD_ROWS,
  file: string,
): Promise<Row[]> {
  const { from, month } = OLD_ROWS[kind](companyId, before)
  const { rows } = await tx.execute<Row>(sql`
    select r.id, to_char(${month}, 'YYYY-MM') as month, ${sql.raw(file)} as file from ${from}
     order by ${month}, r.id limit ${DELETED_ROWS_PER_BATCH} for update skip locked`)
  return rows
}

const toAnyId = (rows: Row[]) => sql`any(${sql.param(rows.map(({ id }) => id))}::uuid[])`
const toDeletedBatch = (rows: Row[]): DeletedBatch => ({
  months: countByMonth(rows.map(({ month }) => month)),
  more: rows.length === DELETED_ROWS_PER_BATCH,
})

async function deleteImports(input: DeleteBatchInput): Promise<DeletedBatch> {
  const { tx, companyId } = input
  const rows = await lockOldestRows(input, 'imports', 'r.file_id')
  await tx.execute(sql`delete from curve_imports where company_id = ${companyId} and id = ${toAnyId(rows)}`)
  await deleteUnreferencedFiles(
    tx,
    companyId,
    rows.flatMap(({ file }) => file ?? []),
  )
  return toDeletedBatch(rows)
}

async function deleteTickets(input: DeleteBatchInput): Promise<DeletedBatch> {
  const { tx, companyId } = input
  const rows = await lockOldestRows(input, 'tickets', 'null')
  const ids = toAnyId(rows)
  const { rows: joined } = await tx.execute<{ id: string }>(sql`
    delete from ticket_files where company_id = ${companyId} and message_id in (
      select id from ticket_messages where company_id = ${companyId} and ticket_id = ${ids}) returning file_id as id`)
  await tx.execute(sql`delete from ticket_messages where company_id = ${companyId} and ticket_id = ${ids}`)
  await tx.execute(sql`delete from ticket_notes where ticket_company_id = ${companyId} and ticket_id = ${ids}`)
  await tx.execute(sql`delete from tickets where company_id = ${companyId} and id = ${ids}`)
  await deleteUnreferencedFiles(
    tx,
    companyId,
    joined.map(({ id }) => id),
  )
  return toDeletedBatch(rows)
}

const createRowDeleter =
  (kind: 'consents' | 'notifications') =>
  async (taking: DeleteBatchInput): Promise<DeletedBatch> => {
    const rows = await lockOldestRows(taking, kind, 'null')
    const table = sql.identifier(kind)
    await taking.tx.execute(sql`delete from ${table} where company_id = ${taking.companyId} and id = ${toAnyId(rows)}`)
    return toDeletedBatch(rows)
  }

/**
 * Deletes the oldest entries; the hash of the last deleted one is stored as a signed start, so that the remaining chain
 * can be verified.
 */
async function deleteAudit({ tx, deps, companyId, before }: DeleteBatchInput): Promise<DeletedBatch> {
  const { from } = OLD_ROWS.audit(companyId, before)
  const { rows } = await tx.execute<{ seq: string; month: string }>(sql`
    select r.seq, to_char(r.at, 'YYYY-MM') as month from ${from} order by r.seq limit ${DELETED_ROWS_PER_BATCH}`)
  const last = rows.at(-1)
  if (!last) return NOTHING_DELETED
  const [link] = await tx
    .select()
    .from(auditEntries)
    .where(sql`${auditEntries.companyId} = ${companyId} and ${auditEntries.seq} = ${last.seq}`)
  if (!link) return NOTHING_DELETED
  const start = { seq: link.seq, hash: link.hash }
  const seal = signChainStart(deps.secrets, companyId, start)
  await tx
    .insert(auditStarts)
    .values({ companyId, ...start, seal })
    .onConflictDoUpdate({ target: auditStarts.companyId, set: { ...start, seal } })
  const until = sql`(${before}::date::timestamp at time zone 'Europe/Paris')`
  await tx.execute(sql`select retire_audit(${companyId}, ${until}, ${rows.length})`)
  return { months: countByMonth(rows.map(({ month }) => month)), more: rows.length === DELETED_ROWS_PER_BATCH }
}

/** Deletes one batch of a kind in the caller's transaction. */
const DELETE_BATCH_BY_KIND: Record<RetentionKind, (taking: DeleteBatchInput) => Promise<DeletedBatch>> = {
  curves: deleteCurves,
  imports: deleteImports,
  consents: createRowDeleter('consents'),
  tickets: deleteTickets,
  notifications: createRowDeleter('notifications'),
  audit: deleteAudit,
}
