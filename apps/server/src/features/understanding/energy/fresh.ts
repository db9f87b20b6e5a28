import { addMonths, monthOf } from '@voisol/energy/calendar'
import type { Period } from './period.ts'
import { type MemberPeriod, maxDay, minDay } from './pieces.ts'

/** The days of each operation whose rollups are outdated, sorted and without overlaps. */
export type StaleRanges = Map<string, Period[]>

/** The days of a period outside all ranges. */
export function subtractRanges(period: Period, ranges: Period[]): Period[] {
  const remaining: Period[] = []
  let { from } = period
  for (const range of ranges) {
    if (range.to <= from || range.from >= period.to) continue
    if (range.from > from) remaining.push({ from, to: range.from })
    from = range.to
  }
  if (from < period.to) remaining.push({ from, to: period.to })
  return remaining
}

/** The part of a period with current rollups: whole months if wanted, and the days around them. */
export function splitFreshMonthsAndDays(
  period: Period,
  stale: Period[],
  byMonth: boolean,
): { months: Period[]; days: Period[] } {
  const freshRanges = subtractRanges(period, stale)
  if (!byMonth) return { months: [], days: freshRanges }
  const result = { months: [] as Period[], days: [] as Period[] }
  for (const { from, to } of freshRanges) {
    const first = from === monthOf(from) ? from : addMonths(monthOf(from), 1)
    const last = monthOf(to)
    if (first >= last) {
      result.days.push({ from, to })
      continue
    }
    result.months.push({ from: first, to: last })
    if (from < first) result.days.push({ from, to: first })
    if (last < to) result.days.push({ from: last, to })
  }
  return result
}

/** Limits member periods to the ranges of their operation. */
export const clipToRanges = (memberPeriods: MemberPeriod[], rangesByOperation: StaleRanges): MemberPeriod[] =>
  memberPeriods.flatMap((memberPeriod) =>
    (rangesByOperation.get(memberPeriod.operationId) ?? []).flatMap(({ from, to }) => {
      const [lo, hi] = [maxDay(memberPeriod.lo, from), minDay(memberPeriod.hi, to)]
      return lo < hi ? [{ ...memberPeriod, lo, hi }] : []
    }),
  )
