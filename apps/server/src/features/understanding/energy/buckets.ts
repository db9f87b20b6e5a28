import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import type { Period } from './period.ts'
import { toWh } from './totals.ts'

export type Side = {
  /** Watt-minutes read, and how many readings are behind. */
  read: Float64Array
  known: Uint32Array
  /** What a run gave, what it left, and how many steps are behind. */
  local: Float64Array
  rest: Float64Array
  held: Uint32Array
  heldRest: Uint32Array
}
/** In the order of the groups of an operation: batteries stand by themselves. */
export const SIDES = ['consumption', 'production', 'charge', 'release'] as const
export type Columns = Record<(typeof SIDES)[number], Side> & {
  starts: number[]
  step: number | null
  stores: boolean
  marks: Uint8Array
}

const side = (length: number): Side => ({
  read: new Float64Array(length),
  known: new Uint32Array(length),
  local: new Float64Array(length),
  rest: new Float64Array(length),
  held: new Uint32Array(length),
  heldRest: new Uint32Array(length),
})

/** Not yet looked at: no reading gives this mark. */
export const UNSEEN = 255

export const emptyColumns = (starts: number[], step: number | null, members: { storage: boolean }[]): Columns => ({
  starts,
  step,
  stores: members.some(({ storage }) => storage),
  consumption: side(starts.length),
  production: side(starts.length),
  charge: side(starts.length),
  release: side(starts.length),
  marks: new Uint8Array(starts.length).fill(UNSEEN),
})

/** Missing is worse than estimated, estimated than corrected, corrected than raw. */
export function worsen(marks: Uint8Array, at: number, mark: number): void {
  const known = marks[at] ?? UNSEEN
  if (known === UNSEEN || mark === 0) marks[at] = mark
  else if (known !== 0 && mark > known) marks[at] = mark
}

/** First days of the buckets. */
export function firstDays({ from, to }: Period, granularity: 'day' | 'month'): string[] {
  if (granularity === 'day') return listDays(from, to)
  const months = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) months.push(month)
  return months
}

/** A bucket that the period enters in its middle starts with the period. */
export const startsOf = (days: string[], { from }: Period) => days.map((day) => dayStart(day < from ? from : day))

const column = (values: Float64Array, counts: Uint32Array) =>
  Array.from(values, (value, at) => (counts[at] ? toWh(value) : null))

const storageColumns = ({ charge, release }: Columns) => ({
  charged: column(charge.read, charge.known),
  stored: column(charge.local, charge.held),
  released: column(release.read, release.known),
  restored: column(release.local, release.held),
})

export function toSeries(columns: Columns, granularity: Granularity): EnergySeries {
  const { starts, step, consumption, production, marks, stores } = columns
  return {
    granularity,
    starts: starts.map((minute) => new Date(minute * 60_000).toISOString()),
    step,
    produced: column(production.read, production.known),
    shared: column(production.local, production.held),
    surplus: column(production.rest, production.heldRest),
    consumed: column(consumption.read, consumption.known),
    allocated: column(consumption.local, consumption.held),
    complement: column(consumption.rest, consumption.heldRest),
    ...(stores && { storage: storageColumns(columns) }),
    marks: Array.from(marks, (mark) => (mark === UNSEEN ? 0 : mark)),
  }
}
