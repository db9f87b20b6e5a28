import type { PastBand } from '@voisol/energy/forecast/edges'
import type { Coordinates } from '@voisol/energy/model/climate'
import { computeSunPosition } from '@voisol/energy/model/sun'
import type { PastBandValues } from './task-types.ts'

const MINUTES_PER_HOUR = 60
/** As in scores: lower, the sun is behind hills and haze. */
const LOW_SUN_DEGREES = 3

/** A past week before its band was adjusted, with the hours used to judge bands. */
export function toPastBand(
  { startsAt, levels, values }: PastBandValues,
  { latitude, longitude }: Coordinates,
): PastBand {
  const steps = values.length / levels.length
  const getLevelValues = (level: number) => {
    const order = levels.indexOf(level)
    return order < 0 ? [] : values.subarray(order * steps, (order + 1) * steps)
  }
  const [low, middle, high] = [getLevelValues(0.1), getLevelValues(0.5), getLevelValues(0.9)]
  const isUp = (at: number) =>
    computeSunPosition(startsAt + at * MINUTES_PER_HOUR + MINUTES_PER_HOUR / 2, latitude, longitude).elevation >
    LOW_SUN_DEGREES
  return {
    startsAt,
    step: MINUTES_PER_HOUR,
    low,
    middle,
    high,
    counts: Uint8Array.from(middle, (_, at) => (isUp(at) ? 1 : 0)),
  }
}
