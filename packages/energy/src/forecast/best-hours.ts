import { dayOf } from '../calendar/calendar.ts'
import type { Surplus } from './surplus.ts'

/** Hours in which using a machine costs the least: `from` and `to` in epoch minutes; the least chance of them all. */
export type BestHours = { from: number; to: number; chance: number; wattHours: number }

const SURE = 0.8
const SHORTEST = 120
const LONGEST = 240

function windowAt(surplus: Surplus, first: number, width: number): BestHours | null {
  const { startsAt, step, levels, values, chance } = surplus
  const middle = values[Math.max(0, levels.indexOf(0.5))]
  let [least, wattHours] = [1, 0]
  for (let at = first; at < first + width / step; at++) {
    const sure = chance[at]
    if (sure === null || sure === undefined || sure < SURE) return null
    least = Math.min(least, sure)
    wattHours += ((middle?.[at] ?? 0) * step) / 60
  }
  const from = startsAt + first * step
  return dayOf(from) === dayOf(from + width - 1) ? { from, to: from + width, chance: least, wattHours } : null
}

/** The longest stretch of a day, of two to four hours, that is sure enough; of equal ones that with the most left. Null: none. */
export function bestHours(surplus: Surplus, day: string): BestHours | null {
  const { startsAt, step, chance } = surplus
  for (let width = LONGEST; width >= SHORTEST; width -= 60) {
    let best: BestHours | null = null
    for (let first = 0; first + width / step <= chance.length; first++) {
      if (dayOf(startsAt + first * step) !== day) continue
      const found = windowAt(surplus, first, width)
      if (found && (!best || found.wattHours > best.wattHours)) best = found
    }
    if (best) return best
  }
  return null
}

/** Part of the announced steps in which something was really left; null where nothing could be checked. */
export function hitRate(
  announced: BestHours[],
  measured: { startsAt: number; step: number; watts: ArrayLike<number> },
) {
  let [hits, steps] = [0, 0]
  for (const { from, to } of announced)
    for (let minute = from; minute < to; minute += measured.step) {
      const watts = measured.watts[Math.floor((minute - measured.startsAt) / measured.step)]
      if (watts === undefined || Number.isNaN(watts) || watts < 0) continue
      steps++
      if (watts > 0) hits++
    }
  return steps > 0 ? { rate: hits / steps, steps } : null
}
