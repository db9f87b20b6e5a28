import type { BilledTotals } from '@voisol/contract/invoice-views'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq, gte, isNotNull, lt } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { computeInvoiceTotals, getInvoiceState, loadOpenAmounts, sumDocuments } from './ledger.ts'
import { invoiceScope } from './scope.ts'

const BILLED_COLUMNS = {
  id: invoices.id,
  kind: invoices.kind,
  from: invoices.from,
  dueOn: invoices.dueOn,
  wh: invoices.wh,
  net: invoices.net,
  tax: invoices.tax,
  gross: invoices.gross,
}
type BilledRow = Pick<typeof invoices.$inferSelect, keyof typeof BILLED_COLUMNS>

/** Invoices to participants; what an organiser invoices to a producer is excluded. */
const invoicedToParticipantsSql = (actor: Actor, operationId?: string) =>
  and(
    invoiceScope(actor),
    isNotNull(invoices.buyerId),
    operationId === undefined ? undefined : eq(invoices.operationId, operationId),
  )

const toBilledTotals = (rows: readonly BilledRow[]): BilledTotals => ({ documents: rows.length, ...sumDocuments(rows) })

async function loadOpenTotals(db: Db, actor: Actor, operationId?: string) {
  const rows = await db.select(BILLED_COLUMNS).from(invoices).where(invoicedToParticipantsSql(actor, operationId))
  const open = await loadOpenAmounts(db, actor.companyId)
  const day = getToday()
  const all = rows.map((row) => {
    const own = { ...row, open: open.get(row.id) ?? 0 }
    return { ...own, state: getInvoiceState(own, day) }
  })
  const { open: left, overdue } = computeInvoiceTotals(all, day)
  return { none: rows.length === 0, open: left, overdue }
}

const loadParticipantDocuments = (
  db: Db,
  actor: Actor,
  from: string,
  to: string,
  operationId?: string,
): Promise<BilledRow[]> =>
  db
    .select(BILLED_COLUMNS)
    .from(invoices)
    .where(and(invoicedToParticipantsSql(actor, operationId), gte(invoices.from, from), lt(invoices.from, to)))

/** Extends the period to whole months, since an invoice covers whole months. */
const toWholeMonths = (from: string, to: string) => {
  const last = monthOf(to)
  return { from: monthOf(from), to: last === to && to > from ? to : addMonths(last, 1) }
}

type BilledFiguresInput = { from: string; to: string; operationId?: string | undefined }

export async function loadBilledFigures(db: Db, actor: Actor, { operationId, ...days }: BilledFiguresInput) {
  if (operationId) await requireVisibleOperation(db, actor, operationId)
  const { from, to } = toWholeMonths(days.from, days.to)
  const rows = await loadParticipantDocuments(db, actor, from, to, operationId)
  const before = await loadParticipantDocuments(db, actor, addMonths(from, -12), addMonths(to, -12), operationId)
  const months = [...Map.groupBy(rows, (row) => monthOf(row.from))]
    .map(([month, own]) => ({ month, ...toBilledTotals(own) }))
    .sort((a, b) => (a.month < b.month ? -1 : 1))
  const lastYear = before.length > 0 ? toBilledTotals(before) : null
  return { from, to, months, total: toBilledTotals(rows), lastYear, ...(await loadOpenTotals(db, actor, operationId)) }
}
