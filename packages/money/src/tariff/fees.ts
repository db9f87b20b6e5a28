import {
  type Day,
  daysBetween,
  getCalendarPeriod,
  intersectPeriods,
  type Period,
  type Periodicity,
  type ValidityPeriod,
} from '../calendar/days.ts'
import { roundProduct } from '../numbers/exact-numbers.ts'

type FeeTerms = { readonly amount: number; readonly every: Periodicity }
/** The part of one calendar period: R(amount × upTo / days) − R(amount × before / days). */
type FeePeriodPart = { period: Period; days: number; before: number; upTo: number; cents: number }

const countActiveDays = (active: ValidityPeriod, from: Day, to: Day): number => {
  const part = intersectPeriods({ from, to }, active)
  return part ? daysBetween(part.from, part.to) : 0
}

/**
 * The running total is rounded, never its parts, so that twelve months sum to the year and an entry is prorated by the
 * day.
 */
export function computeFeeParts({ amount, every }: FeeTerms, active: ValidityPeriod, span: Period): FeePeriodPart[] {
  const parts: FeePeriodPart[] = []
  for (let day = span.from; day < span.to; ) {
    const period = getCalendarPeriod(day, every)
    const days = daysBetween(period.from, period.to)
    const until = period.to < span.to ? period.to : span.to
    const before = countActiveDays(active, period.from, day)
    const upTo = countActiveDays(active, period.from, until)
    const cents = roundProduct([amount, upTo], days) - roundProduct([amount, before], days)
    parts.push({ period, days, before, upTo, cents })
    day = period.to
  }
  return parts
}

export const computeFeeCents = (terms: FeeTerms, active: ValidityPeriod, span: Period): number =>
  computeFeeParts(terms, active, span).reduce((sum, { cents }) => sum + cents, 0)
