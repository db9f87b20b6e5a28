import type { Step } from '../calendar/calendar.ts'

export { STEPS, type Step } from '../calendar/calendar.ts'

/** A step that was not measured. Never zero. */
export const MISSING = -1

/** Integer watts, mean over each step from `startsAt` (epoch minutes, UTC); MISSING where unknown. */
export type PowerSeries = { startsAt: number; step: Step; watts: Int32Array }

/**
 * Exact energy of each target step, in watt-minutes; MISSING where any part of it is unknown. Both steps are multiples
 * of five minutes: converting through five minutes loses nothing.
 */
export function toEnergySteps({ startsAt, step, watts }: PowerSeries, target: Step): Int32Array {
  const minutes = watts.length * step
  if (startsAt % target !== 0 || minutes % target !== 0)
    throw new RangeError(`the series does not start and end on a step of ${target} minutes`)
  const energy = new Int32Array(minutes / target)
  const piece = computeGreatestCommonDivisor(step, target)
  const pieces = target / piece
  for (let at = 0; at < energy.length; at++) {
    let sum = 0
    for (let part = at * pieces; part < (at + 1) * pieces; part++) {
      const value = watts[Math.floor((part * piece) / step)] ?? MISSING
      if (value < 0) {
        sum = MISSING
        break
      }
      sum += value * piece
    }
    if (sum > 0x7fffffff) throw new RangeError('the energy of one step exceeds 32 bits')
    energy[at] = sum
  }
  return energy
}

function computeGreatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : computeGreatestCommonDivisor(b, a % b)
}

/** Exact as long as it stays a safe integer: 2^22 values of any size. */
export function sumKnown(values: Int32Array): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? MISSING
    if (value > 0) sum += value
  }
  return sum
}

export function countMissing(values: Int32Array): number {
  let count = 0
  for (let at = 0; at < values.length; at++) if ((values[at] ?? 0) < 0) count++
  return count
}
