import { addDays, type Day } from '../calendar/days.ts'

export type DunningInput = {
  readonly due: Day
  readonly today: Day
  /** The days on which reminders were sent, in order. */
  readonly sent: readonly Day[]
  /** Days after the due date, one for each level. */
  readonly offsets: readonly number[]
  /** Least days between two reminders. */
  readonly gap: number
  /** A dispute, a schedule, a debit under way, an old bank statement. */
  readonly blocked: boolean
  readonly open: number
  readonly least: number
}

/** The level to send today, none skipped; null where nothing is to be sent. */
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
