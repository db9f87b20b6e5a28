import { type Day, daysBetween, type Period } from '../calendar/days.ts'
import { roundProduct } from '../numbers/exact-numbers.ts'

/**
 * The price of the days before a day of its period: rounded from the start, so that the parts of a period sum to its
 * price.
 */
function computePriceUpTo(price: number, { from, to }: Period, day: Day): number {
  return roundProduct([price, daysBetween(from, day)], daysBetween(from, to))
}

/** The price for a part of a period. */
export function prorateCents(price: number, period: Period, part: Period): number {
  if (part.from < period.from || part.to > period.to || part.from > part.to)
    throw new RangeError(`${part.from} to ${part.to} is no part of ${period.from} to ${period.to}`)
  return computePriceUpTo(price, period, part.to) - computePriceUpTo(price, period, part.from)
}

const MONTHS_PER_PERIOD = { month: 1, year: 12 } as const
const pad = (number: number, width: number) => String(number).padStart(width, '0')
const getLastDayOfMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** The same day so many months later, or the last day of that month. */
export function addMonthsToDay(day: Day, months: number): Day {
  const at = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(at / 12), (at % 12) + 1]
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(Math.min(Number(day.slice(8)), getLastDayOfMonth(year, month)), 2)}`
}

/**
 * The period that contains a day, counted from the anchor: one that starts on the 31st ends on the last day of a short
 * month.
 */
export function getAnchoredPeriod(anchor: Day, every: keyof typeof MONTHS_PER_PERIOD, day: Day): Period {
  if (day < anchor) throw new RangeError(`${day} is before ${anchor}`)
  let at = 0
  while (addMonthsToDay(anchor, (at + 1) * MONTHS_PER_PERIOD[every]) <= day) at++
  return {
    from: addMonthsToDay(anchor, at * MONTHS_PER_PERIOD[every]),
    to: addMonthsToDay(anchor, (at + 1) * MONTHS_PER_PERIOD[every]),
  }
}
