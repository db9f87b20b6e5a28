import { MAX_WATTS } from './limits.ts'
import type { ReadingUnit } from './types.ts'

/** Billionths of the unit in one watt, or in one watt-hour. */
const PARTS_PER_UNIT: Record<ReadingUnit, number> = { W: 1e9, kW: 1e6, Wh: 1e9, kWh: 1e6 }

/** Watts as a fraction, to compare and to add up for the eye; what is stored comes from `createCarry`. */
export const computeMeanWatts = (nano: number, unit: ReadingUnit, step: number): number =>
  unit === 'W' || unit === 'kW' ? nano / PARTS_PER_UNIT[unit] : (nano * 60) / (PARTS_PER_UNIT[unit] * step)

export const exceedsMaxWatts = (nano: number, unit: ReadingUnit, step: number): boolean =>
  Math.floor(computeMeanWatts(nano, unit, step) + 0.5) > MAX_WATTS

/** A mean power as whole watts, and what is left of its energy in parts of a watt-minute: integers below 2^53 all the way. */
type ExactWatts = { watts: number; rest: number }

function exactWatts(nano: number, unit: ReadingUnit, step: number, out: ExactWatts): void {
  const parts = PARTS_PER_UNIT[unit]
  const left = nano % parts
  const whole = (nano - left) / parts
  if (unit === 'W' || unit === 'kW') {
    out.watts = whole
    out.rest = left * step
    return
  }
  // A watt-hour is sixty watt-minutes.
  const small = (left * 60) % parts
  const minutes = whole * 60 + (left * 60 - small) / parts
  out.watts = Math.floor(minutes / step)
  out.rest = (minutes - out.watts * step) * parts + small
}

/**
 * Rounds the powers of one local day to whole watts and carries what is left from step to step, so that the energy of the day
 * is off by half a watt over one step at most. A whole number of watts stays what it is.
 */
export function createRemainderCarry(unit: ReadingUnit) {
  const parts = PARTS_PER_UNIT[unit]
  const exact: ExactWatts = { watts: 0, rest: 0 }
  let carried = 0
  return {
    parts,
    watts(nano: number, step: number): number {
      exactWatts(nano, unit, step, exact)
      if (exact.rest === 0) return exact.watts
      const one = step * parts
      const due = exact.rest + carried
      const more = Math.max(Math.floor((due + one / 2) / one), -exact.watts)
      carried = due - more * one
      return exact.watts + more
    },
    /** Whether the last value had a part below the watt. */
    split: () => exact.rest !== 0,
    /** Ends a day: what could not be given to any of its steps, in parts of a watt-minute. */
    close(): number {
      const left = carried
      carried = 0
      return left
    },
  }
}
