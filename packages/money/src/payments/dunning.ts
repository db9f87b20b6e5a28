import { addDays, type Day } from '../calendar/days.ts'

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
