import type { Billed } from '@voisol/contract/invoice-views'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq, gte, isNotNull, lt } from 'drizzle-orm'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { readOpen, stateOf, sumOf, totalsOf } from './ledger.ts'
import { invoiceScope } from './scope.ts'

const COLUMNS = {
  id: invoices.id,
  kind: invoices.kind,
  from: invoices.from,
  dueOn: invoices.dueOn,
  wh: invoices.wh,
  net: invoices.net,
  tax: invoices.tax,
  gross: invoices.gross,
}
type Row = Pick<typeof invoices.$inferSelect, keyof typeof COLUMNS>

/** What participants were invoiced; what an organiser invoices to a producer is another matter. */
const toParticipants = (actor: Actor, operationId?: string) =>
  and(
    invoiceScope(actor),
    isNotNull(invoices.buyerId),
    operationId === undefined ? undefined : eq(invoices.operationId, operationId),
  )

const billedOf = (rows: readonly Row[]): Billed => ({ documents: rows.length, ...sumOf(rows) })

async function standing(db: Db, actor: Actor, operationId?: string) {
  const rows = await db.select(COLUMNS).from(invoices).where(toParticipants(actor, operationId))
  const open = await readOpen(db, actor.companyId)
  const day = today()
  const all = rows.map((row) => {
    const own = { ...row, open: open.get(row.id) ?? 0 }
    return { ...own, state: stateOf(own, day) }
  })
  const { open: left, overdue } = totalsOf(all, day)
  return { none: rows.length === 0, open: left, overdue }
}

const suppliedIn = (db: Db, actor: Actor, from: string, to: string, operationId?: string): Promise<Row[]> =>
  db
    .select(COLUMNS)
    .from(invoices)
    .where(and(toParticipants(actor, operationId), gte(invoices.from, from), lt(invoices.from, to)))

/** Whole months: an invoice is a month's, and a week of it has none. */
const monthsOver = (from: string, to: string) => {
  const last = monthOf(to)
  return { from: monthOf(from), to: last === to && to > from ? to : addMonths(last, 1) }
}

type Asked = { from: string; to: string; operationId?: string | undefined }

export async function billedFigures(db: Db, actor: Actor, { operationId, ...days }: Asked) {
  if (operationId) await findOperation(db, actor, operationId)
  const { from, to } = monthsOver(days.from, days.to)
  const rows = await suppliedIn(db, actor, from, to, operationId)
  const before = await suppliedIn(db, actor, addMonths(from, -12), addMonths(to, -12), operationId)
  const months = [...Map.groupBy(rows, (row) => monthOf(row.from))]
    .map(([month, own]) => ({ month, ...billedOf(own) }))
    .sort((a, b) => (a.month < b.month ? -1 : 1))
  const lastYear = before.length > 0 ? billedOf(before) : null
  return { from, to, months, total: billedOf(rows), lastYear, ...(await standing(db, actor, operationId)) }
}
