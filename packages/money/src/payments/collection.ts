import { addDays, type Day } from '../calendar/days.ts'
import { getTargetDayBefore, getTargetDayFrom } from '../calendar/working-days.ts'
import { type Ratio, roundRatio, toRatio, toSafeInteger } from '../numbers/exact-numbers.ts'

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

export type DunningInput = {
  readonly due: Day
  readonly today: Day
  /** The days on which reminders were sent, in order. */
  readonly sent: readonly Day[]
  /** Days after the due date, one for each level. */
  readonly offsets: readonly number[]
  /** Minimum number of days between two reminders. */
  readonly gap: number
  /** By a dispute, a payment schedule, a debit under way, or a bank statement that is too old. */
  readonly blocked: boolean
  readonly open: number
  readonly least: number
}

/** The reminder level to send today, without skipping one; null where nothing is to be sent. */
export function computeDunningLevel({
  due,
  today,
  sent,
  offsets,
  gap,
  blocked,
  open,
  least,
}: DunningInput): number | null {
  const offset = offsets[sent.length]
  if (blocked || open < least || offset === undefined || today < addDays(due, offset)) return null
  const last = sent.at(-1)
  return last !== undefined && today < addDays(last, gap) ? null : sent.length + 1
}

/** Days at a yearly rate in 1/100 %. */
export type InterestSpan = { readonly days: number; readonly rateBp: number }

const YEAR = 365n * 10_000n

const computeExactInterest = (amount: number, spans: readonly InterestSpan[]): Ratio =>
  toRatio(BigInt(amount) * spans.reduce((sum, { days, rateBp }) => sum + BigInt(days) * BigInt(rateBp), 0n), YEAR)

/** Rounded once over all periods. */
export const computeInterestCents = (amount: number, spans: readonly InterestSpan[]): number =>
  toSafeInteger(roundRatio(computeExactInterest(amount, spans)))
