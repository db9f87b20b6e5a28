import { allocateEnergy, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { sliceCurves, sliceSpans } from '@voisol/energy/allocation-input'
import { dayStart, listDays, localTime } from '@voisol/energy/calendar'
import type { PowerSeries } from '@voisol/energy/series'
import type { InsightData } from './insight-data.ts'

/** Watts from a curve of energies, optionally of the last days only. */
export function toWattSeries(
  { startsAt, step }: Pick<InsightData, 'startsAt' | 'step'>,
  values: Int32Array,
  days?: number,
): PowerSeries {
  const from = days === undefined ? 0 : Math.max(0, values.length - (days * 1440) / step)
  const watts = values.subarray(from).map((value) => (value < 0 ? -1 : Math.round(value / step)))
  return { startsAt: startsAt + from * step, step, watts }
}

/** Mean watts of each hour; NaN when a part is unknown. */
export function toHourlyMeans(values: Int32Array, step: number): Float64Array {
  const parts = 60 / step
  return Float64Array.from({ length: Math.floor(values.length / parts) }, (_, hour) => {
    let sum = 0
    for (let at = hour * parts; at < (hour + 1) * parts; at++) {
      const value = values[at] ?? -1
      sum += value < 0 ? Number.NaN : value
    }
    return sum / 60
  })
}

/** The hours [from, to) of each local day. */
export function listDayHourRanges({
  from,
  to,
  startsAt,
}: Pick<InsightData, 'from' | 'to' | 'startsAt'>): [number, number][] {
  const starts = listDays(from, to).map((day) => (dayStart(day) - startsAt) / 60)
  const end = (dayStart(to) - startsAt) / 60
  return starts.map((start, at) => [start, starts[at + 1] ?? end])
}

/** Watt-hours of each day; NaN when less than nine tenths of its hours are known. */
export const toDailyEnergies = (hours: ArrayLike<number>, days: [number, number][]): Float64Array =>
  Float64Array.from(days, ([from, to]) => {
    let [sum, known] = [0, 0]
    for (let hour = from; hour < to; hour++) {
      const watts = hours[hour] ?? Number.NaN
      if (Number.isNaN(watts)) continue
      sum += watts
      known++
    }
    return known >= 0.9 * (to - from) ? (sum * (to - from)) / known : Number.NaN
  })

/** Mean watts by hour of the local day. */
export function averageByHourOfDay(hours: ArrayLike<number>, startsAt: number): number[] {
  const [sums, counts] = [new Float64Array(24), new Float64Array(24)]
  for (let at = 0; at < hours.length; at++) {
    const watts = hours[at] ?? Number.NaN
    if (Number.isNaN(watts)) continue
    const hour = Math.floor(localTime(startsAt + at * 60).minuteOfDay / 60)
    sums[hour] = (sums[hour] ?? 0) + watts
    counts[hour] = (counts[hour] ?? 0) + 1
  }
  return Array.from(sums, (sum, hour) => (counts[hour] ? sum / (counts[hour] ?? 1) : Number.NaN))
}

export const HOUR_LABELS = Array.from({ length: 24 }, (_, hour) => `${hour} h`)

type AllocationSides = { steps: number; producers: PointCurve[]; consumers: PointCurve[]; keys: KeySpan[] }

/** The last days of an operation in the allocation engine's format. */
export function sliceAllocationSides({ points, keys, steps, step }: InsightData, days: number): AllocationSides {
  const from = Math.max(0, steps - (days * 1440) / step)
  const listCurves = (role: 'producer' | 'consumer') =>
    sliceCurves(
      points.filter((point) => point.role === role).map(({ id, values, active }) => ({ id, values, active })),
      from,
      steps,
    )
  return {
    steps: steps - from,
    producers: listCurves('producer'),
    consumers: listCurves('consumer'),
    keys: sliceSpans(keys, from, steps),
  }
}

const sumKnown = (values: Int32Array) => values.reduce((sum, value) => sum + Math.max(0, value), 0)

/** Shared energy by point in watt-hours, and as a part of production. */
export function computeSharedEnergy(
  scene: InsightData,
  days: number,
): { share: number; made: number; local: Map<string, number> } {
  const sides = sliceAllocationSides(scene, days)
  const { allocated, produced } = allocateEnergy(sides)
  const local = new Map(sides.consumers.map(({ id }, i) => [id, sumKnown(allocated[i] ?? new Int32Array()) / 60]))
  const producedWh = produced.reduce((sum, values) => sum + sumKnown(values), 0) / 60
  const localWh = [...local.values()].reduce((sum, wh) => sum + wh, 0)
  return { share: producedWh > 0 ? localWh / producedWh : 0, made: producedWh, local }
}
