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

/** A value that repeats this long, night included, comes from a stuck meter. */
export const STUCK_HOURS = 24

/**
 * A plant produces nothing at night: hours that repeat one value other than zero for a day are wrong and become
 * missing.
 */
export function removeStuckHours({ first, watts }: HourlySeries): HourlySeries {
  const told = watts.slice()
  let from = 0
  for (let at = 1; at <= watts.length; at++) {
    if (watts[at] === watts[from]) continue
    if ((watts[from] ?? 0) > 0 && at - from >= STUCK_HOURS) told.fill(Number.NaN, from, at)
    from = at
  }
  return { first, watts: told }
}
