import type { RetentionKind } from '@voisol/contract/retention-kinds'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { deleteUnreferencedFiles } from '../../../core/kept-files.ts'
import { loadFirstRetainedDay } from '../../../core/retired.ts'
import type { Db } from '../../../db/client.ts'
import { auditEntries, auditStarts, retiredCurves } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { storeSumsHashes } from '../../energy/allocations/allocations.ts'
import { signChainStart } from '../../people/audit/audit.ts'
import { OLD_ROWS } from './kinds.ts'

/** Number of rows deleted in one transaction by month, and whether more are left. */
export type DeletedBatch = { months: Record<string, number>; more: boolean }
export type DeleteBatchInput = { tx: Db; deps: Pick<Deps, 'secrets'>; companyId: number; before: string }

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
export const DELETE_BATCH_BY_KIND: Record<RetentionKind, (taking: DeleteBatchInput) => Promise<DeletedBatch>> = {
  curves: deleteCurves,
  imports: deleteImports,
  consents: createRowDeleter('consents'),
  tickets: deleteTickets,
  notifications: createRowDeleter('notifications'),
  audit: deleteAudit,
}
