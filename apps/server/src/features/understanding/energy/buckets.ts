import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import type { Period } from './period.ts'
import { toWh } from './totals.ts'

export type SideColumns = {
  /** Watt-minutes read, and the number of readings. */
  read: Float64Array
  known: Uint32Array
  /** Energy allocated by a run, the rest, and the number of steps. */
  local: Float64Array
  rest: Float64Array
  held: Uint32Array
  heldRest: Uint32Array
}
/** In the order of an operation's groups; batteries are separate. */
export const SIDE_NAMES = ['consumption', 'production', 'charge', 'release'] as const
export type EnergyColumns = Record<(typeof SIDE_NAMES)[number], SideColumns> & {
  starts: number[]
  step: number | null
  stores: boolean
  marks: Uint8Array
}

const createSideColumns = (length: number): SideColumns => ({
  read: new Float64Array(length),
  known: new Uint32Array(length),
  local: new Float64Array(length),
  rest: new Float64Array(length),
  held: new Uint32Array(length),
  heldRest: new Uint32Array(length),
})

/** No mark yet; no reading has this mark. */
export const NO_MARK = 255

export const createEnergyColumns = (
  starts: number[],
  step: number | null,
  members: { storage: boolean }[],
): EnergyColumns => ({
  starts,
  step,
  stores: members.some(({ storage }) => storage),
  consumption: createSideColumns(starts.length),
  production: createSideColumns(starts.length),
  charge: createSideColumns(starts.length),
  release: createSideColumns(starts.length),
  marks: new Uint8Array(starts.length).fill(NO_MARK),
})

/** From worst to best: missing, estimated, corrected, raw. */
export function applyWorstMark(marks: Uint8Array, at: number, mark: number): void {
  const known = marks[at] ?? NO_MARK
  if (known === NO_MARK || mark === 0) marks[at] = mark
  else if (known !== 0 && mark > known) marks[at] = mark
}

/** First days of the buckets. */
export function listBucketDays({ from, to }: Period, granularity: 'day' | 'month'): string[] {
  if (granularity === 'day') return listDays(from, to)
  const months = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) months.push(month)
  return months
}

/** A bucket that begins before the period starts with the period. */
export const listBucketStarts = (days: string[], { from }: Period) =>
  days.map((day) => dayStart(day < from ? from : day))

const toWhColumn = (values: Float64Array, counts: Uint32Array) =>
  Array.from(values, (value, at) => (counts[at] ? toWh(value) : null))

const toStorageSeries = ({ charge, release }: EnergyColumns) => ({
  charged: toWhColumn(charge.read, charge.known),
  stored: toWhColumn(charge.local, charge.held),
  released: toWhColumn(release.read, release.known),
  restored: toWhColumn(release.local, release.held),
})

export function toEnergySeries(columns: EnergyColumns, granularity: Granularity): EnergySeries {
  const { starts, step, consumption, production, marks, stores } = columns
  return {
    granularity,
    starts: starts.map((minute) => new Date(minute * 60_000).toISOString()),
    step,
    produced: toWhColumn(production.read, production.known),
    shared: toWhColumn(production.local, production.held),
    surplus: toWhColumn(production.rest, production.heldRest),
    consumed: toWhColumn(consumption.read, consumption.known),
    allocated: toWhColumn(consumption.local, consumption.held),
    complement: toWhColumn(consumption.rest, consumption.heldRest),
    ...(stores && { storage: toStorageSeries(columns) }),
    marks: Array.from(marks, (mark) => (mark === NO_MARK ? 0 : mark)),
  }
}
