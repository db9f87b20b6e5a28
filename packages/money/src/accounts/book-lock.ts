import type { Day, Month } from '../calendar/days.ts'
import { byText } from '../numbers/order.ts'
import type { BookEntry } from './book.ts'
import type { JournalName } from './chart.ts'

const monthOf = (day: Day): Month => day.slice(0, 7)

/** A locked month takes nothing more: what comes late stands on the first day that is open, under the day of its piece. */
export const placed = (entry: BookEntry, openFrom: Day | null): BookEntry =>
  openFrom !== null && entry.day < openFrom ? { ...entry, day: openFrom } : entry

export const inOrder = (a: BookEntry, b: BookEntry): number =>
  byText(a.day, b.day) ||
  byText(a.piece.day, b.piece.day) ||
  byText(a.piece.ref, b.piece.ref) ||
  byText(a.source, b.source)

export type Numbered = BookEntry & { number: number }

/** Numbers the entries of a month, by day in each journal, after the last of its year. */
export function numbered(
  entries: readonly BookEntry[],
  last: Readonly<Partial<Record<JournalName, number>>>,
): Numbered[] {
  const at = { ...last }
  return entries.toSorted(inOrder).map((entry) => {
    const number = (at[entry.journal] ?? 0) + 1
    at[entry.journal] = number
    return { ...entry, number }
  })
}

export type Exercise = { from: Day; to: Day }
const two = (value: number) => String(value).padStart(2, '0')

/** The accounting year that holds a day, by the month in which years begin; `to` is the first day after it. */
export function exerciseOf(day: Day, firstMonth: number): Exercise {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const begun = month >= firstMonth ? year : year - 1
  return { from: `${begun}-${two(firstMonth)}-01`, to: `${begun + 1}-${two(firstMonth)}-01` }
}

/** Every month from the one of a day to another, both included. */
export function monthsBetween(first: Day, last: Day): Month[] {
  const months: Month[] = []
  let [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))]
  for (let now = monthOf(first); now <= monthOf(last); now = `${year}-${two(month)}`) {
    months.push(now)
    month += 1
    if (month > 12) [year, month] = [year + 1, 1]
  }
  return months
}
