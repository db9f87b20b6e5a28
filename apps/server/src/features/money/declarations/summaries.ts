import type { AcciseRow, ReportRow, VatRow } from '@voisol/contract/declarations'
import { suppliedOn } from '@voisol/money/accounts/book-sales'
import { reportRows } from '@voisol/money/accounts/e-reporting'
import { acciseSummary, vatSummary } from '@voisol/money/accounts/summaries'
import type { Document, IssuedKind } from '@voisol/money/document'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { documentFacts, type Entity, partiesOf, type SoldFact } from '../books/books.ts'

const inYear = (year: number) => (day: string) => day.startsWith(`${year}-`)
const firstOf = (day: string) => `${day.slice(0, 7)}-01`

async function soldOf(db: Db, entity: Entity): Promise<SoldFact[]> {
  return documentFacts(db, entity, await partiesOf(db, entity.companyId), 'all')
}

function vatBy(documents: readonly SoldFact[], monthOf: (document: SoldFact) => string): VatRow[] {
  return [...Map.groupBy(documents, monthOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([month, own]) => vatSummary(own).map((group) => ({ month, ...group })))
}

/** Σ of the groups of documents, by month of issue as the accounts have them, and by month of supply. */
export async function vatOf(db: Db, entity: Entity, year: number) {
  const documents = await soldOf(db, entity)
  const issue = vatBy(
    documents.filter(({ issued }) => inYear(year)(issued)),
    ({ issued }) => firstOf(issued),
  )
  const supply = vatBy(
    documents.filter(({ to }) => inYear(year)(suppliedOn(to))),
    ({ to }) => firstOf(suppliedOn(to)),
  )
  return { issue, supply, tax: issue.reduce((sum, { tax }) => sum + tax, 0) }
}

type Lined = { kind: IssuedKind; to: string; lines: Document['lines'] }
/** Energy by month of supply and by class, what bears the zero rate apart. */
export async function acciseOf(db: Db, { companyId, id }: Entity, year: number) {
  const { rows } = await db.execute<Lined>(sql`
    select kind, to_day::text as "to", snapshot -> 'lines' as lines from invoices
     where company_id = ${companyId} and seller_id = ${id} and kind <> 'statement' and client_seller_id is null`)
  const own = rows.filter(({ to }) => inYear(year)(suppliedOn(to)))
  const items: AcciseRow[] = [...Map.groupBy(own, ({ to }) => firstOf(suppliedOn(to)))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([month, documents]) => acciseSummary(documents).map((row) => ({ month, ...row })))
  const sum = (of: (row: AcciseRow) => number) => items.reduce((total, row) => total + of(row), 0)
  return { items, wh: sum(({ wh }) => wh), cents: sum(({ cents }) => cents) }
}

/** Sales to persons by day of issue, category and rate. */
export async function reportOf(db: Db, entity: Entity, year: number, month?: number): Promise<ReportRow[]> {
  const span = month === undefined ? `${year}-` : `${year}-${String(month).padStart(2, '0')}-`
  const documents = (await soldOf(db, entity)).filter(({ issued }) => issued.startsWith(span))
  const rows = reportRows(
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
