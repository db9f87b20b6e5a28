import type { Day, Month } from '../calendar/days.ts'
import { compareText } from '../numbers/exact-numbers.ts'
import type { JournalName } from './chart-of-accounts.ts'
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

const getMonth = (day: Day): Month => day.slice(0, 7)

/**
 * A locked month accepts no more entries: a late one is booked on the first open day, and keeps the date of its
 * document.
 */
export const moveToOpenPeriod = (entry: BookEntry, openFrom: Day | null): BookEntry =>
  openFrom !== null && entry.day < openFrom ? { ...entry, day: openFrom } : entry

export const compareEntries = (a: BookEntry, b: BookEntry): number =>
  compareText(a.day, b.day) ||
  compareText(a.piece.day, b.piece.day) ||
  compareText(a.piece.ref, b.piece.ref) ||
  compareText(a.source, b.source)

export type NumberedEntry = BookEntry & { number: number }

/** Numbers the entries of a month by day in each journal, continuing after the last number of the year. */
export function numberEntries(
  entries: readonly BookEntry[],
  last: Readonly<Partial<Record<JournalName, number>>>,
): NumberedEntry[] {
  const at = { ...last }
  return entries.toSorted(compareEntries).map((entry) => {
    const number = (at[entry.journal] ?? 0) + 1
    at[entry.journal] = number
    return { ...entry, number }
  })
}

type FiscalYear = { from: Day; to: Day }
const padTwoDigits = (value: number) => String(value).padStart(2, '0')

/** The accounting year that holds a day; years start in `firstMonth`; `to` is the first day after the year. */
export function getFiscalYear(day: Day, firstMonth: number): FiscalYear {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const begun = month >= firstMonth ? year : year - 1
  return { from: `${begun}-${padTwoDigits(firstMonth)}-01`, to: `${begun + 1}-${padTwoDigits(firstMonth)}-01` }
}

/** All months from that of the first day to that of the last, both included. */
export function listMonthsBetween(first: Day, last: Day): Month[] {
  const months: Month[] = []
  let [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))]
  for (let now = getMonth(first); now <= getMonth(last); now = `${year}-${padTwoDigits(month)}`) {
    months.push(now)
    month += 1
    if (month > 12) [year, month] = [year + 1, 1]
  }
  return months
}
