import { type Allocation, allocate, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { addDays, addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import { pairs } from '@voisol/energy/pairs'
import { sliceCurves, sliceSpans } from '@voisol/energy/slices'
import { classesOf, TIME_CLASSES } from '@voisol/energy/time-classes'
import { type Gap, gapsOf } from '../../../core/gaps.ts'
import { countOn } from '../../../core/key-coverage.ts'
import type { RunInput } from './input.ts'
import type { MemberLevels } from './levels.ts'
import { byDay } from './result-hash.ts'
import {
  addTo,
  type Counts,
  type DailyPair,
  type DayRow,
  noCounts,
  noTotals,
  type TotalRow,
  type Totals,
} from './rows.ts'

/** Some days of a run: steps are independent of one another, so that a period can be computed piece by piece. */
export type Part = {
  days: DayRow[]
  totals: TotalRow[]
  pairs: DailyPair[]
  counts: Counts
  sums: Totals
  /** What the figures of a month rest on, with its first days; the days of the part that the key left to the default rule. */
  members: MemberLevels[]
  uncovered: Gap[]
  done: number
}

type Point = { curve: PointCurve; total: Int32Array; local: Int32Array }
export type Sums = {
  total: Float64Array
  local: Float64Array
  /** The first day of the month, and how many it has. */
  month: string
  length: number
  /** By class, where it has energy: for each producer and consumer the days of the month, side by side. */
  pairs: (Float64Array | undefined)[]
}

export const emptySums = (producers: number, consumers: number, day: string): Sums => ({
  total: new Float64Array((producers + consumers) * TIME_CLASSES.length),
  local: new Float64Array((producers + consumers) * TIME_CLASSES.length),
  month: monthOf(day),
  length: listDays(monthOf(day), addMonths(monthOf(day), 1)).length,
  pairs: [],
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
  const buckets = days.length * TIME_CLASSES.length
  const flows = pairs({ allocation, keys, producers, consumers }, bucketsOf(days, classes, start, step), buckets)
  addPairs(flows, days, producers.length * consumers.length, sums)
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

/** A bucket for each day and class: all of a day side by side, in the order of its classes. */
function bucketsOf(days: string[], classes: Uint8Array, start: number, step: number): Uint16Array {
  const buckets = Uint16Array.from(classes)
  for (const [nth, day] of days.entries()) {
    const until = (dayStart(addOne(day)) - start) / step
    for (let at = (dayStart(day) - start) / step; at < until; at++)
      buckets[at] = nth * TIME_CLASSES.length + (classes[at] ?? 0)
  }
  return buckets
}

function addPairs(flows: Float64Array, days: string[], size: number, { pairs, month, length }: Sums): void {
  const first = listDays(month, days[0] ?? month).length
  for (const [nth] of days.entries())
    for (let c = 0; c < TIME_CLASSES.length; c++) {
      const from = (nth * TIME_CLASSES.length + c) * size
      const own = flows.subarray(from, from + size)
      if (!own.some((energy) => energy > 0)) continue
      const sums = pairs[c] ?? new Float64Array(size * length)
      pairs[c] = sums
      for (let pair = 0; pair < size; pair++) sums[pair * length + first + nth] = own[pair] ?? 0
    }
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
