import type { RetentionKind } from '@voisol/contract/retention-kinds'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { dropFiles } from '../../../core/kept-files.ts'
import { retiredBefore } from '../../../core/retired.ts'
import type { Db } from '../../../db/client.ts'
import { auditEntries, auditStarts, retiredCurves } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { sealSums } from '../../energy/allocations/allocations.ts'
import { signStart } from '../../people/audit/audit.ts'
import { OLD } from './kinds.ts'

/** What one transaction took: how many of which month, and whether more is left. */
export type Taken = { months: Record<string, number>; more: boolean }
export type Taking = { tx: Db; deps: Pick<Deps, 'secrets'>; companyId: number; before: string }

const BATCH = 2000
const NOTHING: Taken = { months: {}, more: false }

const byMonth = (months: string[]) =>
  Object.fromEntries([...Map.groupBy(months, (month) => month)].map(([month, all]) => [month, all.length]))

/** The earliest month that still has steps. Its sums are named first, so that its runs can be proved without them. */
async function takeCurves({ tx, companyId, before }: Taking): Promise<Taken> {
  const done = await retiredBefore(tx, companyId)
  const { rows } = await tx.execute<{ day: string | null }>(sql`
    select min(day)::text as day from curve_days where company_id = ${companyId} and day >= ${done ?? '1970-01-01'}`)
  const from = monthOf(rows[0]?.day ?? before)
  if (from >= before) return NOTHING
  const to = addMonths(from, 1)
  await sealSums(tx, companyId, { from, to })
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

/** The oldest of a kind, locked: two passes at once take different ones. */
async function oldest({ tx, companyId, before }: Taking, kind: keyof typeof OLD, file: string): Promise<Row[]> {
  const { from, month } = OLD[kind](companyId, before)
  const { rows } = await tx.execute<Row>(sql`
    select r.id, to_char(${month}, 'YYYY-MM') as month, ${sql.raw(file)} as file from ${from}
     order by ${month}, r.id limit ${BATCH} for update skip locked`)
  return rows
}

const idsOf = (rows: Row[]) => sql`any(${sql.param(rows.map(({ id }) => id))}::uuid[])`
const taken = (rows: Row[]): Taken => ({ months: byMonth(rows.map(({ month }) => month)), more: rows.length === BATCH })

async function takeImports(taking: Taking): Promise<Taken> {
  const { tx, companyId } = taking
  const rows = await oldest(taking, 'imports', 'r.file_id')
  await tx.execute(sql`delete from curve_imports where company_id = ${companyId} and id = ${idsOf(rows)}`)
  await dropFiles(
    tx,
    companyId,
    rows.flatMap(({ file }) => file ?? []),
  )
  return taken(rows)
}

async function takeTickets(taking: Taking): Promise<Taken> {
  const { tx, companyId } = taking
  const rows = await oldest(taking, 'tickets', 'null')
  const ids = idsOf(rows)
  const { rows: joined } = await tx.execute<{ id: string }>(sql`
    delete from ticket_files where company_id = ${companyId} and message_id in (
      select id from ticket_messages where company_id = ${companyId} and ticket_id = ${ids}) returning file_id as id`)
  await tx.execute(sql`delete from ticket_messages where company_id = ${companyId} and ticket_id = ${ids}`)
  await tx.execute(sql`delete from ticket_notes where ticket_company_id = ${companyId} and ticket_id = ${ids}`)
  await tx.execute(sql`delete from tickets where company_id = ${companyId} and id = ${ids}`)
  await dropFiles(
    tx,
    companyId,
    joined.map(({ id }) => id),
  )
  return taken(rows)
}

const takeRows =
  (kind: 'consents' | 'notifications') =>
  async (taking: Taking): Promise<Taken> => {
    const rows = await oldest(taking, kind, 'null')
    const table = sql.identifier(kind)
    await taking.tx.execute(sql`delete from ${table} where company_id = ${taking.companyId} and id = ${idsOf(rows)}`)
    return taken(rows)
  }

/** From the first on; the last that goes is kept as a signed beginning, so that the rest is still a chain. */
async function takeAudit({ tx, deps, companyId, before }: Taking): Promise<Taken> {
  const { from } = OLD.audit(companyId, before)
  const { rows } = await tx.execute<{ seq: string; month: string }>(sql`
    select r.seq, to_char(r.at, 'YYYY-MM') as month from ${from} order by r.seq limit ${BATCH}`)
  const last = rows.at(-1)
  if (!last) return NOTHING
  const [link] = await tx
    .select()
    .from(auditEntries)
    .where(sql`${auditEntries.companyId} = ${companyId} and ${auditEntries.seq} = ${last.seq}`)
  if (!link) return NOTHING
  const start = { seq: link.seq, hash: link.hash }
  const seal = signStart(deps.secrets, companyId, start)
  await tx
    .insert(auditStarts)
    .values({ companyId, ...start, seal })
    .onConflictDoUpdate({ target: auditStarts.companyId, set: { ...start, seal } })
  const until = sql`(${before}::date::timestamp at time zone 'Europe/Paris')`
  await tx.execute(sql`select retire_audit(${companyId}, ${until}, ${rows.length})`)
  return { months: byMonth(rows.map(({ month }) => month)), more: rows.length === BATCH }
}

/** One batch of a kind, in the caller's transaction. */
export const TAKE: Record<RetentionKind, (taking: Taking) => Promise<Taken>> = {
  curves: takeCurves,
  imports: takeImports,
  consents: takeRows('consents'),
  tickets: takeTickets,
  notifications: takeRows('notifications'),
  audit: takeAudit,
}
