import type { AllocationResult, PointCurve } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { computePairs } from '@voisol/energy/pairs'
import { computeTimeClasses, TIME_CLASSES } from '@voisol/energy/time-classes'
import { loadKeySpans, type Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import { loadRunInput } from './input.ts'
import type { RunRow } from './runs.ts'
import { getMonthOfRun, getStoredStep, loadKnownEnergies } from './steps.ts'
import { loadRunDayRows, type StoredRunDay } from './stored-days.ts'

export type PairStep = {
  /** Minutes since the epoch. */
  start: number
  timeClass: string
  /** Watt-minutes: what the meter drew, and what it got from each producer. */
  drawn: number | null
  from: { producerId: string; energy: number }[]
}

type StoredSideData = { rows: StoredRunDay[]; curves: PointCurve[] }

/** Totals per point as the run stored them; only the split between pairs is computed again. */
function toStoredAllocation(
  { rows, curves }: StoredSideData,
  producers: StoredSideData,
  steps: number,
): AllocationResult {
  const excluded = Uint8Array.from({ length: steps }, (_, at) =>
    rows.every(({ allocated }) => (allocated[at] ?? -1) < 0) ? 1 : 0,
  )
  const noCounts = { excluded: 0, consumerMissing: 0, producerMissing: 0, noKey: 0, defaulted: 0 }
  return {
    consumed: curves.map(({ values }) => values),
    allocated: rows.map(({ allocated }) => allocated),
    produced: producers.curves.map(({ values }) => values),
    shared: producers.rows.map(({ allocated }) => allocated),
    excluded,
    defaulted: new Uint8Array(steps),
    counts: { ...noCounts, steps },
  }
}

/**
 * The energy a point got from each producer on a day of a run, step by step; nothing when the run does not include the
 * day.
 */
export async function loadPairSteps(db: Db, run: RunRow, day: string, pointId: string) {
  const period: Period = { from: day, to: addDays(day, 1) }
  const stored = await loadRunDayRows(db, run, period.from, period.to)
  const own = stored.find((row) => row.pointId === pointId && row.direction === 'consumption')
  if (!own) return undefined
  const [step, steps] = [getStoredStep(own), own.allocated.length]
  const estimateWindow = run.estimated ? getMonthOfRun(run, day) : period
  const energies = await loadKnownEnergies(db, run, estimateWindow, stored)
  const first = (dayStart(day) - dayStart(estimateWindow.from)) / step
  const toSide = (direction: StoredRunDay['direction']): StoredSideData => {
    const rows = stored.filter((row) => row.direction === direction)
    const curve = ({ pointId: id, storage }: StoredRunDay): PointCurve => ({
      id,
      active: [[0, steps]],
      values: energies.get(id)?.subarray(first, first + steps) ?? new Int32Array(0),
      ...(storage && { storage }),
    })
    return { rows, curves: rows.map(curve) }
  }
  const [consumers, producers] = [toSide('consumption'), toSide('production')]
  const { companyId, operationId, estimated, estimateBy } = run
  const input = await loadRunInput(db, { companyId, operationId, ...period, estimated, estimateBy })
  const keys = await loadKeySpans(db, input, input.keys, period)
  const sides = { producers: producers.curves, consumers: consumers.curves }
  const each = Uint16Array.from({ length: steps }, (_, at) => at)
  const flows = computePairs(
    { allocation: toStoredAllocation(consumers, producers, steps), keys, ...sides },
    each,
    steps,
  )
  const classes = computeTimeClasses(dayStart(day), dayStart(period.to), step, input.calendar)
  const row = consumers.rows.indexOf(own)
  const drawn = consumers.curves[row]?.values
  const key = input.keys.find(({ from, to }) => from <= day && day < to)?.version
  return {
    step,
    key: key && { number: key.number, label: key.label, method: key.method },
    steps: Array.from(each, (at): PairStep => {
      const value = drawn?.[at] ?? -1
      const from = producers.rows.map(({ pointId: producerId }, j) => ({
        producerId,
        energy: flows[(at * producers.rows.length + j) * consumers.rows.length + row] ?? 0,
      }))
      const timeClass = TIME_CLASSES[classes[at] ?? 0] ?? ''
      return { start: dayStart(day) + at * step, timeClass, drawn: value < 0 ? null : value, from }
    }),
  }
}
export type PointDaySteps = NonNullable<Awaited<ReturnType<typeof loadPairSteps>>>
