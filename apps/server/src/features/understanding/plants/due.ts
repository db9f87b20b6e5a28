import type { AmountFrequency } from '@voisol/contract/plants'
import { addDays, addMonths } from '@voisol/energy/calendar'

type RecurringAmount = { amount: number; every: AmountFrequency; startsOn: string; endsOn: string | null }
type Period = { from: string; to: string }

const MONTHS_PER_PERIOD = { month: 1, year: 12 }

/** The same day some months later, or the last day of a shorter month. */
function addMonthsClamped(day: string, months: number): string {
  const first = addMonths(`${day.slice(0, 7)}-01`, months)
  const last = addDays(addMonths(first, 1), -1)
  const wanted = `${first.slice(0, 8)}${day.slice(8)}`
  return wanted < last ? wanted : last
}

/** How often an amount is due in the period: on its first day, then each month or year until it ends. */
export function countDueTimes({ every, startsOn, endsOn }: RecurringAmount, { from, to }: Period): number {
  const end = endsOn !== null && endsOn < to ? endsOn : to
  if (every === 'once') return startsOn >= from && startsOn < to ? 1 : 0
  let times = 0
  for (let n = 0, day = startsOn; day < end; n += 1, day = addMonthsClamped(startsOn, n * MONTHS_PER_PERIOD[every]))
    if (day >= from) times += 1
  return times
}

export const sumDueAmounts = (all: RecurringAmount[], period: Period): number =>
  all.reduce((sum, one) => sum + one.amount * countDueTimes(one, period), 0)
