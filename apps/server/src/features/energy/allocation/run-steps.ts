import type { AllocationResult, PointCurve } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { computePairs } from '@voisol/energy/pairs'
import type { Step } from '@voisol/energy/series'
import { computeTimeClasses, TIME_CLASSES } from '@voisol/energy/time-classes'
import { loadKeySpans, type Period } from '../../../core/allocation-keys.ts'
import { loadPointNames } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { findAllocationRun, type RunRow } from './allocation-runs.ts'
import { loadEnergyValues } from './load-energies.ts'
import { countMemberLevels, type EnergyValues, type MemberReadingLevels } from './reading-levels.ts'
import { loadRunInput } from './run-input.ts'
import { splitIntoMonths } from './run-parts.ts'
import { loadRunDayRows, loadRunPointSides, type StoredRunDay } from './run-results.ts'

/** Loads a run with results. */
export async function requireDoneRun(db: Db, actor: Actor, id: string): Promise<RunRow> {
  const run = await findAllocationRun(db, actor.companyId, id)
  if (!run || actor.operationIds?.includes(run.operationId) === false) throw new AppError('not-found')
  if (run.status !== 'done')
    throw new AppError('conflict', { message: 'Ce calcul n’est pas terminé : il n’a pas encore de résultat.' })
  return run
}

/** The step of the run, derived from the number of values of a day. */
export function getStoredStep({ day, allocated }: StoredRunDay): Step {
  const minutes = dayStart(addDays(day, 1)) - dayStart(day)
  return (minutes / allocated.length) as Step // a day was stored at one of the steps
}

/** Consumption or injection of each point as known when the run was computed, with data quality. */
async function loadKnownValues(db: Db, run: RunRow, period: Period, stored: StoredRunDay[]) {
  const [first] = stored
  if (!first) return new Map<string, EnergyValues>()
  const sides = run.estimateBy === 'profile' ? await loadRunPointSides(db, run) : stored
  const side = (direction: StoredRunDay['direction']) => [
    ...new Set(sides.filter((row) => row.direction === direction).map(({ pointId }) => pointId)),
  ]
  const { companyId, estimated, estimateBy } = run
  return loadEnergyValues(db, {
    ...period,
    companyId,
    consumers: side('consumption'),
    producers: side('production'),
    batteries: [...new Set(sides.filter(({ storage }) => storage).map(({ pointId }) => pointId))],
    step: getStoredStep(first),
    estimated,
    estimateBy,
    knownAt: run.startedAt ?? undefined,
  })
}

export const loadKnownEnergies = async (db: Db, run: RunRow, period: Period, stored: StoredRunDay[]) =>
  new Map([...(await loadKnownValues(db, run, period, stored))].map(([id, { values }]) => [id, values]))

/** The month of a run that includes the day: estimates depend on the whole month's data. */
const getMonthOfRun = (run: RunRow, day: string): Period =>
  splitIntoMonths({ from: run.startsOn, to: run.endsOn }).find(({ to }) => day < to) ?? {
    from: day,
    to: addDays(day, 1),
  }

export async function loadRunSteps(db: Db, actor: Actor, id: string, day: string) {
  const run = await requireDoneRun(db, actor, id)
  if (day < run.startsOn || day >= run.endsOn) throw new AppError('not-found')
  const next = addDays(day, 1)
  const stored = await loadRunDayRows(db, run, day, next)
  const [first] = stored
  const step = first ? getStoredStep(first) : 15
  // An estimate depends on surrounding data, so it is made over the same days as in the run.
  const period = run.estimated ? getMonthOfRun(run, day) : { from: day, to: next }
  const energies = await loadKnownEnergies(db, run, period, stored)
  const pointNames = await loadPointNames(db, run.companyId, day, stored)
  const offset = (dayStart(day) - dayStart(period.from)) / step
  return {
    day,
    startsAt: new Date(dayStart(day) * 60_000).toISOString(),
    step,
    points: stored.map(({ pointId, prm, direction, storage, allocated }) => {
      const totals = energies.get(pointId)
      return {
        pointId,
        label: pointNames.get(pointId) || prm,
        direction,
        ...(storage && { storage }),
        total: Array.from(allocated, (own, at) => (own < 0 ? null : toNullable(totals?.[offset + at]))),
        local: Array.from(allocated, toNullable),
      }
    }),
  }
}

const toNullable = (value: number | undefined) => (value === undefined || value < 0 ? null : value)

type PairStep = {
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

/**
 * Inputs and results of a run for some days of one month: energies by point and step as known then, allocated energies
 * (-1 when unknown), and the keys over the same steps.
 */
export async function loadExplainedDays(db: Db, run: RunRow, period: Period) {
  const stored = await loadRunDayRows(db, run, period.from, period.to)
  const [first] = stored
  if (!first) return undefined
  const step = getStoredStep(first)
  const estimateWindow = run.estimated ? getMonthOfRun(run, period.from) : period
  const values = await loadKnownValues(db, run, estimateWindow, stored)
  const at = (day: string) => (dayStart(day) - dayStart(estimateWindow.from)) / step
  const [from, to] = [at(period.from), at(period.to)]
  const toStep = (day: string) => at(day) - from
  const localById = new Map<string, Int32Array>()
  for (const { pointId, day, allocated } of stored) {
    const own = localById.get(pointId) ?? new Int32Array(to - from).fill(-1)
    localById.set(pointId, own)
    own.set(allocated, toStep(day))
  }
  const { companyId, operationId, estimated, estimateBy } = run
  const input = await loadRunInput(db, { companyId, operationId, ...period, estimated, estimateBy })
  const directions = new Map(stored.map(({ pointId, direction }) => [pointId, direction]))
  const sliceValues = ({ values, marks, levels }: EnergyValues): EnergyValues => ({
    values: values.subarray(from, to),
    marks: marks.subarray(from, to),
    levels: levels.subarray(from, to),
  })
  return {
    step,
    steps: to - from,
    place: toStep,
    keys: input.keys,
    spans: await loadKeySpans(db, input, input.keys, period),
    points: [...localById].map(([id, local]) => {
      const known = values.get(id)
      return { id, direction: directions.get(id) ?? 'consumption', local, known: known && sliceValues(known) }
    }),
    levelsOf: (id: string, active: [number, number][]): MemberReadingLevels | undefined => {
      const known = values.get(id)
      return known && countMemberLevels(id, sliceValues(known), active, period, step)
    },
  }
}
export type ExplainedDays = NonNullable<Awaited<ReturnType<typeof loadExplainedDays>>>
