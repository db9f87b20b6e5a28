import type { Coordinates } from '../model/climate.ts'
import { computeClearSkyLight } from '../model/pv.ts'
import { computeSunPosition } from '../model/sun.ts'
import type { Step } from '../series/series.ts'
import { HOUR_MINUTES } from './types.ts'

/**
 * Cloudless light in the middle of each step of an hour; equal parts where the sun shone only between those middles.
 */
export function computeHourShape({ latitude, longitude }: Coordinates, hour: number, step: Step): number[] {
  const light = Array.from({ length: HOUR_MINUTES / step }, (_, part) =>
    computeClearSkyLight(computeSunPosition(hour * HOUR_MINUTES + (part + 0.5) * step, latitude, longitude).elevation),
  )
  return light.some((value) => value > 0) ? light : light.map(() => 1)
}

/** Whole watts for each step, whose mean is exactly that of the hour. */
function distributeWatts(watts: number, shape: number[]): number[] {
  const whole = shape.reduce((sum, part) => sum + part, 0)
  let [reached, given] = [0, 0]
  return shape.map((part) => {
    reached += part
    const upTo = Math.round((watts * shape.length * reached) / whole)
    const own = upTo - given
    given = upTo
    return own
  })
}

/** Levels of an hour split into steps: each level adds to the one below it, so that levels never cross. */
export function splitHour(levels: number[], shape: number[]): number[][] {
  let below = shape.map(() => 0)
  let before = 0
  return levels.map((watts) => {
    const more = distributeWatts(watts - before, shape)
    below = below.map((value, part) => value + (more[part] ?? 0))
    before = watts
    return below
  })
}
