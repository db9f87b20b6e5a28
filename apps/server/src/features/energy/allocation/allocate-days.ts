import { type AllocationResult, allocateEnergy, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { sliceCurves, sliceSpans } from '@voisol/energy/allocation-input'
import { addDays, addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import { computePairs } from '@voisol/energy/pairs'
import { computeTimeClasses, TIME_CLASSES } from '@voisol/energy/time-classes'
import { countMarkedSteps } from '../../../core/allocation-keys.ts'
import { buildGaps, type DayGap } from '../../../core/readings.ts'
import type { MemberReadingLevels } from './reading-levels.ts'
import {
  type AllocationTotals,
  addNumbers,
  compareDayRows,
  comparePairRows,
  createAllocationTotals,
  createStepCounts,
  type DailyPair,
  type DayRow,
  type StepCounts,
  type TotalRow,
} from './result-rows.ts'
import type { RunInput } from './run-input.ts'

/** Some days of a run: steps are independent, so a period can be computed in parts. */
export type RunPart = {
  days: DayRow[]
  totals: TotalRow[]
  pairs: DailyPair[]
  counts: StepCounts
  sums: AllocationTotals
  /**
   * The data quality of a month, given with its first part; `uncovered` are days of this part where the default rule
   * replaced the key.
   */
  members: MemberReadingLevels[]
  uncovered: DayGap[]
  done: number
}

type AllocatedPoint = { curve: PointCurve; total: Int32Array; local: Int32Array }
export type AllocationMonthSums = {
  total: Float64Array
  local: Float64Array
  /** The first day of the month, and its number of days. */
  month: string
  length: number
  /** By class with energy: for each producer and consumer, one value per day of the month. */
  pairs: (Float64Array | undefined)[]
}

export const createMonthSums = (producers: number, consumers: number, day: string): AllocationMonthSums => ({
  total: new Float64Array((producers + consumers) * TIME_CLASSES.length),
  local: new Float64Array((producers + consumers) * TIME_CLASSES.length),
  month: monthOf(day),
  length: listDays(monthOf(day), addMonths(monthOf(day), 1)).length,
  pairs: [],
})

export type MonthCurves = { producers: PointCurve[]; consumers: PointCurve[]; spans: KeySpan[] }
/** What a day is computed from, besides its curves. */
export type ComputeSettings = Pick<RunInput, 'step' | 'calendar' | 'producers' | 'batteries'>
type DayGroup = { days: string[]; origin: number }

/** Allocates consecutive days of a month and adds their energies to the month's sums. */
export function allocateDays(
  input: ComputeSettings,
  curves: MonthCurves,
  { days, origin }: DayGroup,
  sums: AllocationMonthSums,
): Omit<RunPart, 'done'> {
  const { step, calendar } = input
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const start = dayStart(first)
  const end = dayStart(getNextDay(last))
  const [from, to] = [(start - origin) / step, (end - origin) / step]
  const producers = sliceCurves(curves.producers, from, to)
  const consumers = sliceCurves(curves.consumers, from, to)
  const keys = sliceSpans(curves.spans, from, to)
  const allocation = allocateEnergy({ steps: to - from, producers, consumers, keys })
  const classes = computeTimeClasses(start, end, step, calendar)
  const points = listAllocatedPoints(allocation, consumers, producers)
  addClassEnergies(points, classes, sums)
  const buckets = days.length * TIME_CLASSES.length
  const flows = computePairs(
    { allocation, keys, producers, consumers },
    assignBuckets(days, classes, start, step),
    buckets,
  )
  addPairEnergies(flows, days, producers.length * consumers.length, sums)
  const rows = days.flatMap((day) => {
    const at = (dayStart(day) - start) / step
    const until = (dayStart(getNextDay(day)) - start) / step
    return points.flatMap((point) => toDayRows(point, day, at, until))
  })
  const counts = { ...createStepCounts(), ...allocation.counts }
  const uncovered = buildGaps(
    days.map((day) => ({ day, steps: countMarkedSteps(allocation.defaulted, day, start, step) })),
  )
  return {
    days: rows.sort(compareDayRows),
    totals: [],
    pairs: [],
    counts,
    sums: sumDayRows(rows, input),
    members: [],
    uncovered,
  }
}

const getNextDay = (day: string) => addDays(day, 1)

/** Consumers first, then producers, as the sums by class are ordered. */
const listAllocatedPoints = (
  { consumed, allocated, produced, shared }: AllocationResult,
  consumers: PointCurve[],
  producers: PointCurve[],
) => {
  const noSteps = new Int32Array(0)
  return [
    ...consumers.map(
      (curve, i): AllocatedPoint => ({ curve, total: consumed[i] ?? noSteps, local: allocated[i] ?? noSteps }),
    ),
    ...producers.map(
      (curve, j): AllocatedPoint => ({ curve, total: produced[j] ?? noSteps, local: shared[j] ?? noSteps }),
    ),
  ]
}

/** One bucket per day and class: those of a day are adjacent, in class order. */
function assignBuckets(days: string[], classes: Uint8Array, start: number, step: number): Uint16Array {
  const buckets = Uint16Array.from(classes)
  for (const [nth, day] of days.entries()) {
    const until = (dayStart(getNextDay(day)) - start) / step
    for (let at = (dayStart(day) - start) / step; at < until; at++)
      buckets[at] = nth * TIME_CLASSES.length + (classes[at] ?? 0)
  }
  return buckets
}

function addPairEnergies(
  flows: Float64Array,
  days: string[],
  size: number,
  { pairs, month, length }: AllocationMonthSums,
): void {
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

function addClassEnergies(points: AllocatedPoint[], classes: Uint8Array, sums: AllocationMonthSums) {
  for (const [n, { total, local }] of points.entries())
    for (let at = 0; at < classes.length; at++) {
      const own = local[at] ?? 0
      if (own < 0) continue
      const index = n * TIME_CLASSES.length + (classes[at] ?? 0)
      sums.total[index] = (sums.total[index] ?? 0) + (total[at] ?? 0)
      sums.local[index] = (sums.local[index] ?? 0) + own
    }
}

/** No row for a point outside the operation that day: members enter and leave at midnight. */
function toDayRows({ curve, total, local }: AllocatedPoint, day: string, from: number, to: number): DayRow[] {
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

function sumDayRows(rows: DayRow[], { producers, batteries }: ComputeSettings): AllocationTotals {
  const sums = createAllocationTotals()
  const producerIds = new Set(producers)
  const batteryIds = new Set(batteries)
  for (const { pointId, total, local } of rows) {
    const injects = producerIds.has(pointId)
    if (batteryIds.has(pointId))
      addNumbers(sums, {
        ...createAllocationTotals(),
        ...(injects ? { released: total, restored: local } : { charged: total, stored: local }),
      })
    else
      addNumbers(sums, {
        ...createAllocationTotals(),
        ...(injects ? { produced: total } : { consumed: total, allocated: local }),
      })
  }
  return sums
}

/** Energy of each consumer from each producer in each class, by day of the month. */
export function toDailyPairs(
  { consumers, producers }: Pick<RunInput, 'consumers' | 'producers'>,
  sums: AllocationMonthSums,
): DailyPair[] {
  const { month, length } = sums
  const flows: DailyPair[] = []
  for (const [c, timeClass] of TIME_CLASSES.entries())
    for (const [j, producerId] of producers.entries())
      for (const [i, pointId] of consumers.entries()) {
        const at = (j * consumers.length + i) * length
        const days = sums.pairs[c]?.subarray(at, at + length)
        const energy = days?.reduce((sum, day) => sum + day, 0)
        if (days && energy) flows.push({ month, producerId, pointId, timeClass, energy, days })
      }
  return flows.sort(comparePairRows)
}
