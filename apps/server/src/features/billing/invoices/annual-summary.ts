import type { AnnualMonth } from '@voisol/contract/invoice-views'
import { formatDecimal } from '@voisol/documents/number-and-date-formats'
import { formatFrenchMonth } from '@voisol/file-formats/french'
import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { getInvoiceState, loadOpenAmounts, sumDocuments } from './account-ledger.ts'
import { invoiceScope } from './load-invoice.ts'

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

type AnnualSummaryInput = { buyerId: string; year: number }

async function loadBuyerName(db: Db, actor: Actor, buyerId: string): Promise<string> {
  const [row] = await db
    .select({ name: sql<string>`${invoices.snapshot} #>> '{buyer,name}'` })
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.buyerId, buyerId)))
    .orderBy(sql`${invoices.issuedAt} desc`)
    .limit(1)
  if (!row) throw new AppError('not-found')
  return row.name
}

/** A buyer's year by month supplied; corrections count in the month they correct. */
export async function loadAnnualSummary(db: Db, actor: Actor, { buyerId, year }: AnnualSummaryInput) {
  const name = await loadBuyerName(db, actor, buyerId)
  const rows = await loadSuppliedDocuments(db, actor, { buyerId, from: `${year}-01-01`, to: `${year + 1}-01-01` })
  const months = [...Map.groupBy(rows, ({ from }) => `${from.slice(0, 7)}-01`)].map(([month, own]) => ({
    month,
    ...sumDocuments(own),
    documents: own.map(({ id, number, kind, seller, gross }) => ({ id, number, kind, seller, gross })),
  }))
  return { buyer: { id: buyerId, name }, year, months, totals: sumDocuments(rows) }
}

const ANNUAL_HEADER = ['Mois fourni', 'Documents', 'Énergie locale (kWh)', 'HT (€)', 'TVA (€)', 'TTC (€)']
/** A spreadsheet number, parsed from its decimal digits to avoid rounding errors. */
const toNumberCell = (units: number, places: number) => Number(formatDecimal(units, places))
const toAmountCells = ({ wh, net, tax, gross }: ReturnType<typeof sumDocuments>) => [
  toNumberCell(wh, 3),
  toNumberCell(net, 2),
  toNumberCell(tax, 2),
  toNumberCell(gross, 2),
]

export async function buildAnnualSummaryFile(db: Db, actor: Actor, input: AnnualSummaryInput) {
  const { buyer, year, months, totals } = await loadAnnualSummary(db, actor, input)
  const rows = months.map((month) => [
    formatFrenchMonth(month.month),
    month.documents.map(({ number }) => number).join(', '),
    ...toAmountCells(month),
  ])
  return buildTableFile(`récapitulatif ${year} ${buyer.name}`, 'csv', ANNUAL_HEADER, [
    ...rows,
    ['Total', '', ...toAmountCells(totals)],
  ])
}
