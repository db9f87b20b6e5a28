import type { Series } from '../series/series.ts'
import { HOUR } from './types.ts'

/** Mean watts of whole hours of UTC from `first` (hours since 1970); NaN where any part is unknown. */
export type Hours = { first: number; watts: Float64Array }

/** `until` (epoch minutes) hides whatever ended later. */
export function hoursOf({ startsAt, step, watts }: Series, until = Number.POSITIVE_INFINITY): Hours {
  const first = Math.floor(startsAt / HOUR)
  const end = Math.ceil((startsAt + watts.length * step) / HOUR)
  const hours = new Float64Array(Math.max(0, end - first)).fill(Number.NaN)
  const parts = HOUR / step
  for (let at = 0; at < hours.length; at++) {
    const from = ((first + at) * HOUR - startsAt) / step
    if (!Number.isInteger(from) || (first + at + 1) * HOUR > until) continue
    let sum = 0
    for (let part = from; part < from + parts; part++) {
      const value = watts[part] ?? -1
      sum += value < 0 ? Number.NaN : value
    }
    hours[at] = sum / parts
  }
  return { first, watts: hours }
}
