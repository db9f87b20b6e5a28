import { addDays, type Day } from '../calendar/days.ts'
import { targetDayFrom, targetDaysBefore } from '../calendar/target.ts'

export type DebitTerms = {
  readonly issued: Day
  /** Days from the issue to the due date. */
  readonly term: number
  readonly notified: Day
  /** Days between the pre-notification and the debit. */
  readonly notice: number
  /** Open days at which the file must be at the bank before. */
  readonly lead: number
}

/** The first TARGET day at or after both the due date and the end of the notice. */
export function collectionOf({ issued, term, notified, notice, lead }: DebitTerms) {
  const due = addDays(issued, term)
  const told = addDays(notified, notice)
  const collection = targetDayFrom(due > told ? due : told)
  return { due, collection, submitBy: targetDaysBefore(collection, lead) }
}
