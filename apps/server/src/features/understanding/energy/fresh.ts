import { addMonths, monthOf } from '@voisol/energy/calendar'
import type { Period } from './period.ts'
import { earlier, later, type Piece } from './pieces.ts'

/** Days of operations whose kept sums are out of step, in order and apart from one another. */
export type Spans = Map<string, Period[]>

/** The days of a period that no span holds. */
export function without(period: Period, spans: Period[]): Period[] {
  const left: Period[] = []
  let { from } = period
  for (const span of spans) {
    if (span.to <= from || span.from >= period.to) continue
    if (span.from > from) left.push({ from, to: span.from })
    from = span.to
  }
  if (from < period.to) left.push({ from, to: period.to })
  return left
}

/** What is in step of a period: whole months where they are wanted, and the days around them. */
export function parts(period: Period, stale: Period[], byMonth: boolean): { months: Period[]; days: Period[] } {
  const clean = without(period, stale)
  if (!byMonth) return { months: [], days: clean }
  const found = { months: [] as Period[], days: [] as Period[] }
  for (const { from, to } of clean) {
    const first = from === monthOf(from) ? from : addMonths(monthOf(from), 1)
    const last = monthOf(to)
    if (first >= last) {
      found.days.push({ from, to })
      continue
    }
    found.months.push({ from: first, to: last })
    if (from < first) found.days.push({ from, to: first })
    if (last < to) found.days.push({ from: last, to })
  }
  return found
}

/** The days of the pieces that stand within the spans of their operation. */
export const clip = (pieces: Piece[], spans: Spans): Piece[] =>
  pieces.flatMap((piece) =>
    (spans.get(piece.operationId) ?? []).flatMap(({ from, to }) => {
      const [lo, hi] = [later(piece.lo, from), earlier(piece.hi, to)]
      return lo < hi ? [{ ...piece, lo, hi }] : []
    }),
  )
