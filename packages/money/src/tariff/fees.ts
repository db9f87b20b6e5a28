import { clip, type Day, daysBetween, type Every, type Period, periodOf, type Span } from '../calendar/days.ts'
import { roundProduct } from '../numbers/round.ts'

export type FeeTerms = { readonly amount: number; readonly every: Every }
/** The part of one calendar period: R(amount × upTo / days) − R(amount × before / days). */
export type FeePart = { period: Period; days: number; before: number; upTo: number; cents: number }

const activeDays = (active: Span, from: Day, to: Day): number => {
  const part = clip({ from, to }, active)
  return part ? daysBetween(part.from, part.to) : 0
}

/** The running total is rounded, never the parts: twelve months sum to the year, and an entry counts by the day. */
export function feeParts({ amount, every }: FeeTerms, active: Span, span: Period): FeePart[] {
  const parts: FeePart[] = []
  for (let day = span.from; day < span.to; ) {
    const period = periodOf(day, every)
    const days = daysBetween(period.from, period.to)
    const until = period.to < span.to ? period.to : span.to
    const before = activeDays(active, period.from, day)
    const upTo = activeDays(active, period.from, until)
    const cents = roundProduct([amount, upTo], days) - roundProduct([amount, before], days)
    parts.push({ period, days, before, upTo, cents })
    day = period.to
  }
  return parts
}

export const feeCents = (terms: FeeTerms, active: Span, span: Period): number =>
  feeParts(terms, active, span).reduce((sum, { cents }) => sum + cents, 0)
