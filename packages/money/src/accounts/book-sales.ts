import { addDays, type Day, getCalendarPeriod } from '../calendar/days.ts'
import { type BookEntry, type BookParty, type BookRow, removeEmptyRows, reverseRows, toBookRows } from './book.ts'
import type { ChartOfAccounts } from './chart.ts'
import { type BookedDocument, buildSalesRows } from './fec.ts'

export type DocumentFact = BookedDocument & {
  readonly id: string
  readonly number: string
  readonly issued: Day
  /** First day after the supply period. */
  readonly to: Day
  readonly buyer: BookParty
}

const DOCUMENT_LABELS = { invoice: 'Facture', complement: 'Facture complémentaire', creditNote: 'Avoir' }
const formatDocumentLabel = ({ kind, number, buyer }: DocumentFact) =>
  `${DOCUMENT_LABELS[kind]} ${number} ${buyer.name}`
const toPiece = ({ number, issued }: DocumentFact) => ({ ref: number, day: issued })

/** The entry of a document in the sales journal of its seller. */
export const buildDocumentEntry = (document: DocumentFact, chart: ChartOfAccounts): BookEntry => ({
  source: `invoice:${document.id}`,
  journal: 'sales',
  day: document.issued,
  piece: toPiece(document),
  label: formatDocumentLabel(document),
  rows: toBookRows(buildSalesRows(document, document.buyer.code, chart), document.buyer, document.id),
})

/** The last day of the month in which the supply period ended. */
export const getSupplyMonthEnd = (to: Day): Day => addDays(getCalendarPeriod(addDays(to, -1), 'month').to, -1)

/** The customer and the tax not yet due are on separate accounts until the document is issued. */
function buildAccruedRows(document: DocumentFact, chart: ChartOfAccounts): BookRow[] {
  const rows = buildSalesRows(document, document.buyer.code, { ...chart, customer: chart.accrued })
  const isTax = ({ account }: { account: string }) => account.startsWith(chart.vat) && account !== chart.accise
  const tax = rows.filter(isTax).reduce((sum, row) => sum + row.credit - row.debit, 0)
  const vat = { account: chart.accruedVat, aux: '', debit: Math.max(0 - tax, 0), credit: Math.max(tax, 0) }
  return removeEmptyRows(
    toBookRows([...rows.filter((row) => !isTax(row)), vat], document.buyer, `accrued:${document.id}`),
  )
}

/**
 * What was supplied in a month and invoiced after its end: accrued on its last day, reversed at issue. A correction was
 * not known at that time, and belongs to the month in which it is issued.
 */
export function buildCutoffEntries(document: DocumentFact, chart: ChartOfAccounts): BookEntry[] {
  const day = getSupplyMonthEnd(document.to)
  if (document.kind !== 'invoice' || document.issued <= day) return []
  const rows = buildAccruedRows(document, chart)
  if (rows.length === 0) return []
  const about = { journal: 'misc' as const, piece: toPiece(document) }
  return [
    { ...about, source: `accrued:${document.id}`, day, label: `Facture à établir ${document.buyer.name}`, rows },
    {
      ...about,
      source: `accrued-back:${document.id}`,
      day: document.issued,
      label: `Extourne de facture à établir ${document.number}`,
      rows: reverseRows(rows),
    },
  ]
}
