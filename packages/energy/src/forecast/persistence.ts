import { MISSING, type PowerSeries } from '../series/series.ts'
import { averageWatts } from './load-days.ts'
import type { ForecastRequest } from './types.ts'

const DAY_MINUTES = 1440
/** Older values are too old to repeat. */
const MAX_PERSISTENCE_DAYS = 14

/** The last known value of the same time of day: what a forecast must beat. -1 where no recent one is known. */
export function computePersistence(
  { issuedAt, startsAt, steps, step }: ForecastRequest,
  recent: PowerSeries,
): Int32Array {
  const known = Math.min(issuedAt, recent.startsAt + recent.watts.length * recent.step)
  return Int32Array.from({ length: steps }, (_, at) => {
    const minute = startsAt + at * step
    const back = Math.max(1, Math.ceil((minute + step - known) / DAY_MINUTES))
    for (let days = back; days < back + MAX_PERSISTENCE_DAYS; days++) {
      const watts = averageWatts(recent, minute - days * DAY_MINUTES, step)
      if (!Number.isNaN(watts)) return Math.round(watts)
    }
    return MISSING
  })
}
