import type { InvoiceKind } from '@voisol/contract/money'
import { and, asc, eq, gte, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'

export type SoldDocument = {
  id: string
  sellerId: string
  operationId: string
  number: string
  kind: InvoiceKind
  buyer: string
  issuedOn: string
  wh: number
  net: number
  tax: number
  gross: number
}

/** First day of the next month. */
export const getNextMonthStart = (month: string): string =>
  Temporal.PlainDate.from(month).add({ months: 1 }).with({ day: 1 }).toString()

type SoldDocumentsFilter = { sellerId?: string; from: string; to: string }

/** Documents issued in sellers' names by day of issue, without statements, which are no sale. */
export async function loadSoldDocuments(
  db: Db,
  companyId: number,
  { sellerId, from, to }: SoldDocumentsFilter,
): Promise<SoldDocument[]> {
  const rows = await db
    .select({
      id: invoices.id,
      sellerId: invoices.sellerId,
      operationId: sql<string>`${invoices.operationId}`,
      number: invoices.number,
      kind: invoices.kind,
      buyer: sql<string>`${invoices.snapshot} -> 'buyer' ->> 'name'`,
      issuedOn: invoices.issuedOn,
      wh: invoices.wh,
      net: invoices.net,
      tax: invoices.tax,
      gross: invoices.gross,
    })
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, companyId),
        sellerId ? eq(invoices.sellerId, sellerId) : undefined,
        gte(invoices.issuedOn, from),
        lt(invoices.issuedOn, to),
        ne(invoices.kind, 'statement'),
        // Sales outside operations belong to no producer.
        isNotNull(invoices.operationId),
      ),
    )
    .orderBy(asc(invoices.sellerId), asc(invoices.position))
  // The column only stores kinds of the contract.
  return rows.map((row) => ({ ...row, kind: row.kind as InvoiceKind }))
}
