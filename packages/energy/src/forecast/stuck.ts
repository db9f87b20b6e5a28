import type { HourlySeries } from './hours.ts'

/** One value for as long as this, night included, is a meter that stands still. */
export const STUCK_HOURS = 24

/** A plant gives nothing at night: hours that repeat one value for a day, not zero, tell nothing of it and become holes. */
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
