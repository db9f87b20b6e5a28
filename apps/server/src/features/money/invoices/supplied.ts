import type { AnnualMonth } from '@voisol/contract/invoice-views'
import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { getInvoiceState, loadOpenAmounts } from './ledger.ts'
import { invoiceScope } from './scope.ts'

type SuppliedFilter = { from: string; to: string; buyerId?: string; operationId?: string }
const printedValueSql = (path: string) => sql<string>`${invoices.snapshot} #>> ${sql.raw(`'{${path}}'`)}`

const SUPPLIED_COLUMNS = {
  id: invoices.id,
  number: invoices.number,
  kind: sql<AnnualMonth['documents'][number]['kind']>`${invoices.kind}`,
  sellerId: invoices.sellerId,
  seller: printedValueSql('seller,name'),
  buyerId: invoices.buyerId,
  clientSellerId: invoices.clientSellerId,
  from: invoices.from,
  dueOn: invoices.dueOn,
  wh: invoices.wh,
  net: invoices.net,
  tax: invoices.tax,
  gross: invoices.gross,
}

/** Documents of energy supplied in a period; corrections count in the month they correct. */
export const loadSuppliedDocuments = (db: Db, actor: Actor, { from, to, buyerId, operationId }: SuppliedFilter) =>
  db
    .select(SUPPLIED_COLUMNS)
    .from(invoices)
    .where(
      and(
        invoiceScope(actor),
        buyerId === undefined ? undefined : eq(invoices.buyerId, buyerId),
        operationId === undefined ? undefined : eq(invoices.operationId, operationId),
        gte(invoices.from, from),
        lt(invoices.from, to),
      ),
    )
    .orderBy(asc(invoices.from), asc(invoices.issuedAt), asc(invoices.number))
export type SuppliedDocument = Awaited<ReturnType<typeof loadSuppliedDocuments>>[number]

/** The same with today's open amount of each document. */
export async function loadSuppliedWithState(db: Db, actor: Actor, filter: SuppliedFilter) {
  const rows = await loadSuppliedDocuments(db, actor, filter)
  const open = await loadOpenAmounts(db, actor.companyId)
  const day = getToday()
  return rows.map((row) => {
    const withOpen = { ...row, open: open.get(row.id) ?? 0 }
    return { ...withOpen, state: getInvoiceState(withOpen, day) }
  })
}
