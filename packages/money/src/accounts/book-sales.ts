import { addDays, type Day, periodOf } from '../calendar/days.ts'
import { type BookEntry, type BookRow, filled, ofParty, type Party, turned } from './book.ts'
import type { Chart } from './chart.ts'
import { type BookedDocument, salesEntry } from './fec.ts'

export type DocumentFact = BookedDocument & {
  readonly id: string
  readonly number: string
  readonly issued: Day
  /** First day after what it is for. */
  readonly to: Day
  readonly buyer: Party
}

const WORDS = { invoice: 'Facture', complement: 'Facture complémentaire', creditNote: 'Avoir' }
const labelOf = ({ kind, number, buyer }: DocumentFact) => `${WORDS[kind]} ${number} ${buyer.name}`
const pieceOf = ({ number, issued }: DocumentFact) => ({ ref: number, day: issued })

/** A document in its seller's journal of sales. */
export const documentEntry = (document: DocumentFact, chart: Chart): BookEntry => ({
  source: `invoice:${document.id}`,
  journal: 'sales',
  day: document.issued,
  piece: pieceOf(document),
  label: labelOf(document),
  rows: ofParty(salesEntry(document, document.buyer.code, chart), document.buyer, document.id),
})

/** The last day of the month in which what it is for ended. */
export const suppliedOn = (to: Day): Day => addDays(periodOf(addDays(to, -1), 'month').to, -1)

/** Customer and tax not yet due stand apart until the document is issued. */
function accruedRows(document: DocumentFact, chart: Chart): BookRow[] {
  const rows = salesEntry(document, document.buyer.code, { ...chart, customer: chart.accrued })
  const isTax = ({ account }: { account: string }) => account.startsWith(chart.vat) && account !== chart.accise
  const tax = rows.filter(isTax).reduce((sum, row) => sum + row.credit - row.debit, 0)
  const vat = { account: chart.accruedVat, aux: '', debit: Math.max(0 - tax, 0), credit: Math.max(tax, 0) }
  return filled(ofParty([...rows.filter((row) => !isTax(row)), vat], document.buyer, `accrued:${document.id}`))
}

/**
 * What was supplied in a month and invoiced after its end: accrued on its last day, taken back when it is issued.
 * A correction was not known by then, and is a fact of the month in which it is issued.
 */
export function cutoffEntries(document: DocumentFact, chart: Chart): BookEntry[] {
  const day = suppliedOn(document.to)
  if (document.kind !== 'invoice' || document.issued <= day) return []
  const rows = accruedRows(document, chart)
  if (rows.length === 0) return []
  const about = { journal: 'misc' as const, piece: pieceOf(document) }
  return [
    { ...about, source: `accrued:${document.id}`, day, label: `Facture à établir ${document.buyer.name}`, rows },
    {
      ...about,
      source: `accrued-back:${document.id}`,
      day: document.issued,
      label: `Extourne de facture à établir ${document.number}`,
      rows: turned(rows),
    },
  ]
}
