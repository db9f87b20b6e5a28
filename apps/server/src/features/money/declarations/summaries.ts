import type { AcciseRow, ReportRow, VatRow } from '@voisol/contract/declarations'
import { getSupplyMonthEnd } from '@voisol/money/accounts/book-sales'
import { buildEReportingRows } from '@voisol/money/accounts/e-reporting'
import { summarizeAccise, summarizeVat } from '@voisol/money/accounts/summaries'
import type { BillingDocument, IssuedKind } from '@voisol/money/document'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type Entity, loadDocumentFacts, loadParties, type SoldFact } from '../books/books.ts'

const buildYearFilter = (year: number) => (day: string) => day.startsWith(`${year}-`)
const toMonthStart = (day: string) => `${day.slice(0, 7)}-01`

async function loadSoldFacts(db: Db, entity: Entity): Promise<SoldFact[]> {
  return loadDocumentFacts(db, entity, await loadParties(db, entity.companyId), 'all')
}

function groupVatByMonth(documents: readonly SoldFact[], monthOf: (document: SoldFact) => string): VatRow[] {
  return [...Map.groupBy(documents, monthOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([month, own]) => summarizeVat(own).map((group) => ({ month, ...group })))
}

/** VAT sums of the documents, by month of issue as in the accounts, and by month of supply. */
export async function loadVatSummary(db: Db, entity: Entity, year: number) {
  const documents = await loadSoldFacts(db, entity)
  const issue = groupVatByMonth(
    documents.filter(({ issued }) => buildYearFilter(year)(issued)),
    ({ issued }) => toMonthStart(issued),
  )
  const supply = groupVatByMonth(
    documents.filter(({ to }) => buildYearFilter(year)(getSupplyMonthEnd(to))),
    ({ to }) => toMonthStart(getSupplyMonthEnd(to)),
  )
  return { issue, supply, tax: issue.reduce((sum, { tax }) => sum + tax, 0) }
}

type DocumentLines = { kind: IssuedKind; to: string; lines: BillingDocument['lines'] }
/** Energy by month of supply and class, with zero-rated energy apart. */
export async function loadAcciseSummary(db: Db, { companyId, id }: Entity, year: number) {
  const { rows } = await db.execute<DocumentLines>(sql`
    select kind, to_day::text as "to", snapshot -> 'lines' as lines from invoices
     where company_id = ${companyId} and seller_id = ${id} and kind <> 'statement' and client_seller_id is null`)
  const own = rows.filter(({ to }) => buildYearFilter(year)(getSupplyMonthEnd(to)))
  const items: AcciseRow[] = [...Map.groupBy(own, ({ to }) => toMonthStart(getSupplyMonthEnd(to)))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([month, documents]) => summarizeAccise(documents).map((row) => ({ month, ...row })))
  const sum = (of: (row: AcciseRow) => number) => items.reduce((total, row) => total + of(row), 0)
  return { items, wh: sum(({ wh }) => wh), cents: sum(({ cents }) => cents) }
}

/** Sales to individuals by day of issue, category and rate. */
export async function loadEReportingRows(db: Db, entity: Entity, year: number, month?: number): Promise<ReportRow[]> {
  const datePrefix = month === undefined ? `${year}-` : `${year}-${String(month).padStart(2, '0')}-`
  const documents = (await loadSoldFacts(db, entity)).filter(({ issued }) => issued.startsWith(datePrefix))
  const rows = buildEReportingRows(
    documents.map(({ kind, issued, person, services, vat }) => ({
      seller: entity.id,
      buyerKind: person ? 'person' : 'organisation',
      kind,
      issued,
      services,
      vat,
    })),
  )
  return rows.map(({ seller: _, ...row }) => row)
}
