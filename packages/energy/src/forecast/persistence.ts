import { MISSING, type Series } from '../series/series.ts'
import { wattsOver } from './load-days.ts'
import type { Ask } from './types.ts'

const DAY = 1440
/** Farther back than that it is not lately any more. */
const FARTHEST_DAYS = 14

/** The last known value of the same time of day: what a forecast must beat. -1 where nothing was known lately. */
export function persistenceOf({ issuedAt, startsAt, steps, step }: Ask, recent: Series): Int32Array {
  const known = Math.min(issuedAt, recent.startsAt + recent.watts.length * recent.step)
  return Int32Array.from({ length: steps }, (_, at) => {
    const minute = startsAt + at * step
    const back = Math.max(1, Math.ceil((minute + step - known) / DAY))
    for (let days = back; days < back + FARTHEST_DAYS; days++) {
      const watts = wattsOver(recent, minute - days * DAY, step)
      if (!Number.isNaN(watts)) return Math.round(watts)
    }
    return MISSING
  })
}
