import type { Day } from '../calendar/days.ts'
import type { JournalName } from './chart.ts'
import type { FecRow } from './fec.ts'

/** A party with an auxiliary account below a collective one. */
export type BookParty = { readonly code: string; readonly name: string }
/** `item` is what a row opens or closes: rows of one item, and of items that were matched, are lettered together. */
export type BookRow = FecRow & { auxLabel: string; item: string }
/** An entry before its month is locked: it has no number yet. */
export type BookEntry = {
  /** The fact it was made from, so that the same fact is booked only once. */
  source: string
  journal: JournalName
  day: Day
  piece: { ref: string; day: Day }
  label: string
  rows: BookRow[]
}

const withAuxiliary = (row: FecRow, party: BookParty, item: string): BookRow => ({
  ...row,
  auxLabel: row.aux === '' ? '' : party.name,
  item: row.aux === '' ? '' : item,
})
export const toBookRows = (rows: readonly FecRow[], party: BookParty, item: string): BookRow[] =>
  rows.map((row) => withAuxiliary(row, party, item))

export const toDebitRow = (account: string, cents: number, aux = ''): FecRow => ({
  account,
  aux,
  debit: cents,
  credit: 0,
})
export const toCreditRow = (account: string, cents: number, aux = ''): FecRow => ({
  account,
  aux,
  debit: 0,
  credit: cents,
})
/** Reverses rows: debits become credits. */
export const reverseRows = <R extends FecRow>(rows: readonly R[]): R[] =>
  rows.map((row) => ({ ...row, debit: row.credit, credit: row.debit }))
export const removeEmptyRows = <R extends FecRow>(rows: readonly R[]): R[] =>
  rows.filter((row) => row.debit !== 0 || row.credit !== 0)
