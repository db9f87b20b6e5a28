import type { Coordinates } from '../model/climate.ts'
import { getEnvelopeAt } from './envelope.ts'
import type { HourlySeries } from './hours.ts'
import { computeLight, type SunLight } from './light.ts'

/** Whole days of UTC hours: measures (as a part of the peak power), the sun, the envelope and the sums of each day. */
export type ForecastFrame = {
  firstDay: number
  days: number
  y: Float64Array
  light: SunLight
  envelope: Float64Array
  /** Sums over the hours of a day that are known. */
  measured: Float64Array
  possible: Float64Array
}

export type FrameBounds = { firstDay: number; days: number }

export const getFrameBounds = ({ first, watts }: HourlySeries): FrameBounds => {
  const firstDay = Math.floor(first / 24)
  return { firstDay, days: Math.max(0, Math.ceil((first + watts.length) / 24) - firstDay) }
}

/** Puts hours on whole days, as parts of the peak power. */
export function layOutHours(
  { first, watts }: HourlySeries,
  { firstDay, days }: FrameBounds,
  peakWatts: number,
): Float64Array {
  const y = new Float64Array(days * 24).fill(Number.NaN)
  for (let at = 0; at < watts.length; at++) {
    const place = first + at - firstDay * 24
    if (place >= 0 && place < y.length) y[place] = (watts[at] ?? Number.NaN) / peakWatts
  }
  return y
}

export function buildFrame(
  y: Float64Array,
  bounds: FrameBounds,
  place: Coordinates,
  table: number[],
  known?: SunLight,
): ForecastFrame {
  const { firstDay, days } = bounds
  const light = known ?? computeLight(place, firstDay * 24, days * 24)
  const envelope = Float64Array.from(y, (_, at) => getEnvelopeAt(table, firstDay * 24 + at, light.brightest[at] ?? 0))
  const measured = new Float64Array(days)
  const possible = new Float64Array(days)
  for (let at = 0; at < y.length; at++) {
    const value = y[at] ?? Number.NaN
    if (Number.isNaN(value) || (light.level[at] ?? 0) <= 0) continue
    const day = Math.floor(at / 24)
    measured[day] = (measured[day] ?? 0) + value
    possible[day] = (possible[day] ?? 0) + (envelope[at] ?? 0)
  }
  return { firstDay, days, y, light, envelope, measured, possible }
}
