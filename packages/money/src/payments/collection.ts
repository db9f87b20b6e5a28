import { addDays, type Day } from '../calendar/days.ts'
import { getTargetDayBefore, getTargetDayFrom } from '../calendar/target.ts'

export type DebitTerms = {
  readonly issued: Day
  /** Days from the issue to the due date. */
  readonly term: number
  readonly notified: Day
  /** Days between the pre-notification and the debit. */
  readonly notice: number
  /** Open days that the bank needs the file before the debit. */
  readonly lead: number
}

/** The first TARGET day at or after both the due date and the end of the notice. */
export function computeCollection({ issued, term, notified, notice, lead }: DebitTerms) {
  const due = addDays(issued, term)
  const told = addDays(notified, notice)
  const collection = getTargetDayFrom(due > told ? due : told)
  return { due, collection, submitBy: getTargetDayBefore(collection, lead) }
}
