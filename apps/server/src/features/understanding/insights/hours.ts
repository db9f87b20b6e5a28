import { dayStart, listDays, localTime } from '@voisol/energy/calendar'
import type { PowerSeries } from '@voisol/energy/series'
import type { InsightData } from './scene.ts'

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
