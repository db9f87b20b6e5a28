import { type Allocation, allocate, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { pairs } from '@voisol/energy/pairs'
import { classesOf, TIME_CLASSES } from '@voisol/energy/time-classes'
import { type Gap, gapsOf } from '../../../core/gaps.ts'
import { countOn } from '../../../core/key-coverage.ts'
import { sliceCurves, sliceSpans } from '../../../core/slices.ts'
import type { RunInput } from './input.ts'
import type { MemberLevels } from './levels.ts'
import { byDay } from './result-hash.ts'
import {
  addTo,
  type Counts,
  type DayRow,
  noCounts,
  noTotals,
  type PairRow,
  type TotalRow,
  type Totals,
} from './rows.ts'

/** Some days of a run: steps are independent of one another, so that a period can be computed piece by piece. */
export type Part = {
  days: DayRow[]
  totals: TotalRow[]
  pairs: PairRow[]
  counts: Counts
  sums: Totals
  /** What the figures of a month rest on, with its first days; the days of the part that the key left to the default rule. */
  members: MemberLevels[]
  uncovered: Gap[]
  done: number
}

type Point = { curve: PointCurve; total: Int32Array; local: Int32Array }
export type Sums = { total: Float64Array; local: Float64Array; pairs: Float64Array }

export const emptySums = (producers: number, consumers: number): Sums => ({
  total: new Float64Array((producers + consumers) * TIME_CLASSES.length),
  local: new Float64Array((producers + consumers) * TIME_CLASSES.length),
  pairs: new Float64Array(producers * consumers * TIME_CLASSES.length),
})

export type Curves = { producers: PointCurve[]; consumers: PointCurve[]; spans: KeySpan[] }
/** What a day is computed with, beside its curves. */
export type Setting = Pick<RunInput, 'step' | 'calendar' | 'producers' | 'batteries'>
type Piece = { days: string[]; origin: number }

/** Days that stand side by side, from the curves of their month; what they add to it goes into the sums. */
export function computeDays(input: Setting, curves: Curves, { days, origin }: Piece, sums: Sums): Omit<Part, 'done'> {
  const { step, calendar } = input
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const start = dayStart(first)
  const end = dayStart(addOne(last))
  const [from, to] = [(start - origin) / step, (end - origin) / step]
  const producers = sliceCurves(curves.producers, from, to)
  const consumers = sliceCurves(curves.consumers, from, to)
  const keys = sliceSpans(curves.spans, from, to)
  const allocation = allocate({ steps: to - from, producers, consumers, keys })
  const classes = classesOf(start, end, step, calendar)
  const points = pointsOf(allocation, consumers, producers)
  addClasses(points, classes, sums)
  const bucketOf = Uint16Array.from(classes)
  const flows = pairs({ allocation, keys, producers, consumers }, bucketOf, TIME_CLASSES.length)
  for (let at = 0; at < flows.length; at++) sums.pairs[at] = (sums.pairs[at] ?? 0) + (flows[at] ?? 0)
  const rows = days.flatMap((day) => {
    const at = (dayStart(day) - start) / step
    const until = (dayStart(addOne(day)) - start) / step
    return points.flatMap((point) => dayRow(point, day, at, until))
  })
  const counts = { ...noCounts(), ...allocation.counts }
  const uncovered = gapsOf(days.map((day) => ({ day, steps: countOn(allocation.defaulted, day, start, step) })))
  return { days: rows.sort(byDay), totals: [], pairs: [], counts, sums: sumsOf(rows, input), members: [], uncovered }
}

const addOne = (day: string) => addDays(day, 1)

/** Consumers first, then producers: the order of the sums by class. */
const pointsOf = (
  { consumed, allocated, produced, shared }: Allocation,
  consumers: PointCurve[],
  producers: PointCurve[],
) => {
  const none = new Int32Array(0)
  return [
    ...consumers.map((curve, i): Point => ({ curve, total: consumed[i] ?? none, local: allocated[i] ?? none })),
    ...producers.map((curve, j): Point => ({ curve, total: produced[j] ?? none, local: shared[j] ?? none })),
  ]
}

function addClasses(points: Point[], classes: Uint8Array, sums: Sums) {
  for (const [n, { total, local }] of points.entries())
    for (let at = 0; at < classes.length; at++) {
      const own = local[at] ?? 0
      if (own < 0) continue
      const index = n * TIME_CLASSES.length + (classes[at] ?? 0)
      sums.total[index] = (sums.total[index] ?? 0) + (total[at] ?? 0)
      sums.local[index] = (sums.local[index] ?? 0) + own
    }
}

/** Nothing for a point that is not in the operation that day: entries and exits are at midnight. */
function dayRow({ curve, total, local }: Point, day: string, from: number, to: number): DayRow[] {
  if (!curve.active.some(([first, last]) => first <= from && last >= to)) return []
  const row = { day, pointId: curve.id, allocated: local.slice(from, to), total: 0, local: 0, excluded: 0 }
  for (let at = from; at < to; at++) {
    const own = local[at] ?? 0
    if (own < 0) row.excluded++
    else {
      row.local += own
      row.total += total[at] ?? 0
    }
  }
  return [row]
}

function sumsOf(rows: DayRow[], { producers, batteries }: Setting): Totals {
  const sums = noTotals()
  const produce = new Set(producers)
  const store = new Set(batteries)
  for (const { pointId, total, local } of rows) {
    const injects = produce.has(pointId)
    if (store.has(pointId))
      addTo(sums, {
        ...noTotals(),
        ...(injects ? { released: total, restored: local } : { charged: total, stored: local }),
      })
    else addTo(sums, { ...noTotals(), ...(injects ? { produced: total } : { consumed: total, allocated: local }) })
  }
  return sums
}
