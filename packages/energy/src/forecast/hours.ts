import type { PowerSeries } from '../series/series.ts'
import { HOUR_MINUTES } from './types.ts'

/** Mean watts of whole hours of UTC from `first` (hours since 1970); NaN where any part is unknown. */
export type HourlySeries = { first: number; watts: Float64Array }

/** `until` (epoch minutes) hides what ended later. */
export function toHourlySeries({ startsAt, step, watts }: PowerSeries, until = Number.POSITIVE_INFINITY): HourlySeries {
  const first = Math.floor(startsAt / HOUR_MINUTES)
  const end = Math.ceil((startsAt + watts.length * step) / HOUR_MINUTES)
  const hours = new Float64Array(Math.max(0, end - first)).fill(Number.NaN)
  const parts = HOUR_MINUTES / step
  for (let at = 0; at < hours.length; at++) {
    const from = ((first + at) * HOUR_MINUTES - startsAt) / step
    if (!Number.isInteger(from) || (first + at + 1) * HOUR_MINUTES > until) continue
    let sum = 0
    for (let part = from; part < from + parts; part++) {
      const value = watts[part] ?? -1
      sum += value < 0 ? Number.NaN : value
    }
    hours[at] = sum / parts
  }
  return { first, watts: hours }
}
