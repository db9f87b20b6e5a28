import type { PastBand } from '@voisol/energy/forecast/edges'
import type { Place } from '@voisol/energy/model/climate'
import { sunPosition } from '@voisol/energy/model/sun'
import type { SaidBand } from './task-types.ts'

const HOUR = 60
/** As scores have it: lower, the sun is behind hills and haze. */
const LOW_SUN = 3

/** A week as it was learnt, with the hours that bands are judged by. */
export function bandOf({ startsAt, levels, values }: SaidBand, { latitude, longitude }: Place): PastBand {
  const steps = values.length / levels.length
  const levelOf = (level: number) => {
    const order = levels.indexOf(level)
    return order < 0 ? [] : values.subarray(order * steps, (order + 1) * steps)
  }
  const [low, middle, high] = [levelOf(0.1), levelOf(0.5), levelOf(0.9)]
  const isUp = (at: number) => sunPosition(startsAt + at * HOUR + HOUR / 2, latitude, longitude).elevation > LOW_SUN
  return { startsAt, step: HOUR, low, middle, high, counts: Uint8Array.from(middle, (_, at) => (isUp(at) ? 1 : 0)) }
}
