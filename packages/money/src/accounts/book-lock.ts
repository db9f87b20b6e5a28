import type { Day, Month } from '../calendar/days.ts'
import { compareText } from '../numbers/order.ts'
import type { BookEntry } from './book.ts'
import type { JournalName } from './chart.ts'

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

export type FiscalYear = { from: Day; to: Day }
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
