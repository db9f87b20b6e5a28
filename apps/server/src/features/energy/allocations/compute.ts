import { setImmediate } from 'node:timers/promises'
import { type Allocation, allocate, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { addDays, addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import { pairs } from '@voisol/energy/pairs'
import { classesOf, TIME_CLASSES } from '@voisol/energy/time-classes'
import { type Gap, gapsOf } from '../../../core/gaps.ts'
import { countOn } from '../../../core/key-coverage.ts'
import { sliceCurves, sliceSpans } from '../../../core/slices.ts'
import { keySpans, type Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import { readEnergies } from './energies.ts'
import type { RunInput } from './input.ts'
import type { MemberLevels } from './levels.ts'
import { byClass, byDay, byPair } from './result-hash.ts'
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

/** Cells of points and pairs × steps worked on in one go: some tens of milliseconds, then others have their turn. */
const CELLS = 600_000

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
type Sums = { total: Float64Array; local: Float64Array; pairs: Float64Array }

export const monthsOf = ({ from, to }: Period): Period[] => {
  const months: Period[] = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    months.push({ from: month > from ? month : from, to: next < to ? next : to })
  }
  return months
}

/** Computes the run in order of time; what belongs to a whole month comes with the last days of it. */
export async function* computeRun(db: Db, input: RunInput): AsyncGenerator<Part> {
  const whole = listDays(input.from, input.to).length
  let done = 0
  for (const month of monthsOf(input)) {
    const { producers, consumers, levels } = await readEnergies(db, input, month)
    const spans = await keySpans(db, input, input.keys, month)
    const pieces = piecesOf(input, month)
    const sums = emptySums(producers.length, consumers.length)
    for (const [at, days] of pieces.entries()) {
      const part = computeDays(input, { producers, consumers, spans }, { days, origin: dayStart(month.from) }, sums)
      done += days.length
      if (at === 0) {
        part.counts.estimated = levels.reduce((sum, { own, profile }) => sum + own + profile, 0)
        part.members = levels
      }
      if (at === pieces.length - 1) Object.assign(part, monthRows(input, monthOf(month.from), sums))
      yield { ...part, done: done / whole }
      await setImmediate()
    }
  }
}

type Size = Pick<RunInput, 'producers' | 'consumers' | 'step'>

/** The days of a period in groups that are computed in one go. */
export function piecesOf({ producers, consumers, step }: Size, { from, to }: Period): string[][] {
  const perDay = (producers.length + consumers.length + producers.length * consumers.length) * (1440 / step)
  const size = Math.max(1, Math.floor(CELLS / Math.max(1, perDay)))
  const days = listDays(from, to)
  return Array.from({ length: Math.ceil(days.length / size) }, (_, n) => days.slice(n * size, (n + 1) * size))
}

const emptySums = (producers: number, consumers: number): Sums => ({
  total: new Float64Array((producers + consumers) * TIME_CLASSES.length),
  local: new Float64Array((producers + consumers) * TIME_CLASSES.length),
  pairs: new Float64Array(producers * consumers * TIME_CLASSES.length),
})

type Curves = { producers: PointCurve[]; consumers: PointCurve[]; spans: KeySpan[] }
type Piece = { days: string[]; origin: number }

function computeDays(input: RunInput, curves: Curves, { days, origin }: Piece, sums: Sums): Omit<Part, 'done'> {
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

function sumsOf(rows: DayRow[], { producers, batteries }: RunInput): Totals {
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

function monthRows({ consumers, producers }: RunInput, month: string, sums: Sums) {
  const totals = [...consumers, ...producers].flatMap((pointId, n) =>
    TIME_CLASSES.flatMap((timeClass, c): TotalRow[] => {
      const at = n * TIME_CLASSES.length + c
      const row = { month, pointId, timeClass, total: sums.total[at] ?? 0, local: sums.local[at] ?? 0 }
      return row.total > 0 || row.local > 0 ? [row] : []
    }),
  )
  const flows: PairRow[] = []
  for (const [c, timeClass] of TIME_CLASSES.entries())
    for (const [j, producerId] of producers.entries())
      for (const [i, pointId] of consumers.entries()) {
        const energy = sums.pairs[(c * producers.length + j) * consumers.length + i] ?? 0
        if (energy > 0) flows.push({ month, producerId, pointId, timeClass, energy })
      }
  return { totals: totals.sort(byClass), pairs: flows.sort(byPair) }
}
