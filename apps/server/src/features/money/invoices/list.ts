import type { InvoiceRow } from '@voisol/contract/invoice-views'
import type { ArchiveQuery, InvoiceQuery } from '@voisol/contract/invoices'
import { and, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { invoiceDeliveries, invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { computeInvoiceTotals, getInvoiceState, loadOpenAmounts } from './ledger.ts'
import { invoiceScope } from './scope.ts'

type Filters = z.output<typeof ArchiveQuery>

/** Values as printed: a name changed since does not change the issued document. */
const printedValueSql = (path: string) => sql<string>`${invoices.snapshot} #>> ${sql.raw(`'{${path}}'`)}`
const SORTS = {
  issuedOn: sql`(${invoices.issuedOn}, ${invoices.number})`,
  number: invoices.number,
  dueOn: invoices.dueOn,
  month: invoices.from,
  buyer: sql`fold(${printedValueSql('buyer,name')})`,
  gross: sql`case when ${invoices.kind} = 'creditNote' then -${invoices.gross} else ${invoices.gross} end`,
}
const getNextMonth = (month: string) => Temporal.PlainDate.from(month).with({ day: 1 }).add({ months: 1 }).toString()

const buildInvoiceFilter = (query: Filters): SQL | undefined =>
  and(
    query.operationId ? eq(invoices.operationId, query.operationId) : undefined,
    query.sellerId ? eq(invoices.sellerId, query.sellerId) : undefined,
    query.buyerId ? eq(invoices.buyerId, query.buyerId) : undefined,
    query.kind && eq(invoices.kind, query.kind),
    query.month ? and(lt(invoices.from, getNextMonth(query.month)), gt(invoices.to, query.month)) : undefined,
    matchesSearchWords(query.q, [invoices.number, printedValueSql('buyer,name'), printedValueSql('seller,name')]),
  )

/** Every matching document in order, with its open amount. */
export async function loadMatchingInvoices(db: Db, actor: Actor, query: Filters & { sort?: string | undefined }) {
  if (query.operationId) await requireVisibleOperation(db, actor, query.operationId)
  const rows = await db
    .select({
      id: invoices.id,
      kind: invoices.kind,
      buyerId: invoices.buyerId,
      dueOn: invoices.dueOn,
      net: invoices.net,
      tax: invoices.tax,
      gross: invoices.gross,
    })
    .from(invoices)
    .where(and(invoiceScope(actor), buildInvoiceFilter(query)))
    .orderBy(buildOrderBy(query.sort, SORTS, '-issuedOn'), desc(invoices.number))
  const buyers = new Set(rows.map(({ buyerId }) => buyerId))
  const few = buyers.size <= 50 && !buyers.has(null) ? [...buyers].flatMap((id) => id ?? []) : undefined
  const open = await loadOpenAmounts(db, actor.companyId, few)
  const day = getToday()
  const all = rows.map((row) => {
    const withOpen = { ...row, open: open.get(row.id) ?? 0 }
    return { ...withOpen, state: getInvoiceState(withOpen, day) }
  })
  return query.state ? all.filter(({ state }) => state === query.state) : all
}
type MatchingInvoice = Awaited<ReturnType<typeof loadMatchingInvoices>>[number]

async function loadLastDeliveries(db: Db, companyId: number, ids: string[]) {
  const rows = await db
    .selectDistinctOn([invoiceDeliveries.invoiceId])
    .from(invoiceDeliveries)
    .where(and(eq(invoiceDeliveries.companyId, companyId), inArray(invoiceDeliveries.invoiceId, ids)))
    .orderBy(invoiceDeliveries.invoiceId, desc(invoiceDeliveries.createdAt))
  return new Map(rows.map(({ invoiceId, channel, state }) => [invoiceId, { channel, state }]))
}

const ROW_COLUMNS = {
  id: invoices.id,
  number: invoices.number,
  kind: sql<InvoiceRow['kind']>`${invoices.kind}`,
  operation: { id: invoices.operationId, name: printedValueSql('operation,name') },
  seller: { id: invoices.sellerId, name: printedValueSql('seller,name') },
  buyer: { id: printedValueSql('buyer,id'), name: printedValueSql('buyer,name') },
  issuedOn: invoices.issuedOn,
  dueOn: invoices.dueOn,
  from: invoices.from,
  to: invoices.to,
  wh: invoices.wh,
  net: invoices.net,
  tax: invoices.tax,
  gross: invoices.gross,
}

/** The rows of a page, in the given order. */
export async function loadInvoiceRows(db: Db, companyId: number, page: MatchingInvoice[]): Promise<InvoiceRow[]> {
  const ids = page.map(({ id }) => id)
  if (!ids.length) return []
  const found = await db
    .select(ROW_COLUMNS)
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), inArray(invoices.id, ids)))
  const byId = new Map(found.map((row) => [row.id, row]))
  const deliveries = await loadLastDeliveries(db, companyId, ids)
  return page.flatMap(({ id, open, state }) => {
    const row = byId.get(id)
    return row ? [{ ...row, open, state, delivery: deliveries.get(id) ?? null }] : []
  })
}

export async function listInvoices(db: Db, actor: Actor, query: z.output<typeof InvoiceQuery>) {
  const all = await loadMatchingInvoices(db, actor, query)
  const { limit, offset } = toLimitOffset(query)
  const items = await loadInvoiceRows(db, actor.companyId, all.slice(offset, offset + limit))
  return { items, total: all.length, totals: computeInvoiceTotals(all, getToday()) }
}
