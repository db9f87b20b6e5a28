import type { HourlySeries } from './hours.ts'

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
