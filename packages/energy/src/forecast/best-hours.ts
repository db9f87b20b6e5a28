import { dayOf } from '../calendar/calendar.ts'
import type { SurplusForecast } from './surplus.ts'

/** The hours in which running an appliance costs the least, in epoch minutes; `chance` is the lowest of its steps. */
export type BestHours = { from: number; to: number; chance: number; wattHours: number }

const MIN_CHANCE = 0.8
const MIN_WINDOW_MINUTES = 120
const MAX_WINDOW_MINUTES = 240

function evaluateWindow(surplus: SurplusForecast, first: number, width: number): BestHours | null {
  const { startsAt, step, levels, values, chance } = surplus
  const middle = values[Math.max(0, levels.indexOf(0.5))]
  let [least, wattHours] = [1, 0]
  for (let at = first; at < first + width / step; at++) {
    const sure = chance[at]
    if (sure === null || sure === undefined || sure < MIN_CHANCE) return null
    least = Math.min(least, sure)
    wattHours += ((middle?.[at] ?? 0) * step) / 60
  }
  const from = startsAt + first * step
  return dayOf(from) === dayOf(from + width - 1) ? { from, to: from + width, chance: least, wattHours } : null
}

/**
 * The longest period of a day, from two to four hours, whose chance is high enough; among equals the one with the most
 * surplus. Null: none.
 */
export function findBestHours(surplus: SurplusForecast, day: string): BestHours | null {
  const { startsAt, step, chance } = surplus
  for (let width = MAX_WINDOW_MINUTES; width >= MIN_WINDOW_MINUTES; width -= 60) {
    let best: BestHours | null = null
    for (let first = 0; first + width / step <= chance.length; first++) {
      if (dayOf(startsAt + first * step) !== day) continue
      const found = evaluateWindow(surplus, first, width)
      if (found && (!best || found.wattHours > best.wattHours)) best = found
    }
    if (best) return best
  }
  return null
}

/** Part of the announced steps that really had a surplus; null where none was measured. */
export function computeHitRate(
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
