import type { BandLayout } from './sheet.ts'
import { routines } from './simd/engine.ts'
import { BAND_STEPS, REMAINDER_UNIT } from './simd/lines.ts'

/**
 * In fractions of a unit, well above the possible error of a double and of a rounded remainder: values have 31 bits,
 * doubles 53.
 */
const MARGIN = REMAINDER_UNIT * 2 ** -18
/**
 * A remainder that no member reaches: with no unit left nobody is served, and members whose tie is resolved come first.
 */
const NO_REMAINDER = 0x7fffffff
export const SERVED_REMAINDER = NO_REMAINDER - 1
/** Interpolation assumes evenly spread remainders; in case they are not, every fourth guess halves the interval. */
const HALVING_INTERVAL = 4
/** This few members between two remainders are sorted faster than by counting all members again. */
const MAX_CANDIDATES = 4

/**
 * For each step of a band: two remainders between which the units run out, and how many members have at least each of
 * them.
 */
const low = new Int32Array(BAND_STEPS)
const high = new Int32Array(BAND_STEPS)
const below = new Int32Array(BAND_STEPS)
const above = new Int32Array(BAND_STEPS)

/**
 * Finds for each step of a band the remainders between which its units run out, with a margin for the error of doubles.
 */
export function findThresholds({ members, room, rest, end }: BandLayout, left: Int32Array): void {
  low.fill(0)
  high.fill(REMAINDER_UNIT)
  below.fill(members.length)
  above.fill(0)
  for (let turn = 1; guessThresholds(room.low, left, turn); turn++) {
    routines.count(rest, end)
    narrowBounds(room.low, room.counts, left)
  }
  for (let k = 0; k < BAND_STEPS; k++) {
    const open = (left[k] ?? 0) > 0
    room.low[k] = open ? (low[k] ?? 0) - MARGIN : NO_REMAINDER
    room.high[k] = open ? (high[k] ?? 0) + MARGIN : NO_REMAINDER
  }
}

/** Nothing is to be found, or the remaining members are few, or too close to one another for a double. */
const isSettled = (k: number, wanted: number) =>
  wanted <= 0 || (high[k] ?? 0) - (low[k] ?? 0) <= MARGIN || (below[k] ?? 0) - (above[k] ?? 0) <= MAX_CANDIDATES

/** The next guesses; false when every step is settled. */
function guessThresholds(next: Int32Array, left: Int32Array, turn: number): boolean {
  let open = false
  for (let k = 0; k < BAND_STEPS; k++) {
    const [from, to, wanted] = [low[k] ?? 0, high[k] ?? 0, left[k] ?? 0]
    if (isSettled(k, wanted)) continue
    const even = (wanted - (above[k] ?? 0) + 0.5) / ((below[k] ?? 0) - (above[k] ?? 0) + 1)
    const at = Math.floor(to - (to - from) * (turn % HALVING_INTERVAL === 0 ? 0.5 : even))
    next[k] = Math.max(from + 1, Math.min(to - 1, at))
    open = true
  }
  return open
}

/** A guess that as many members reach as there are units is the threshold; otherwise it is a closer bound. */
function narrowBounds(at: Int32Array, counts: Int32Array, left: Int32Array): void {
  for (let k = 0; k < BAND_STEPS; k++) {
    const [wanted, count, here] = [left[k] ?? 0, counts[k] ?? 0, at[k] ?? 0]
    if (isSettled(k, wanted)) continue
    if (count >= wanted) {
      low[k] = here
      below[k] = count
    }
    if (count <= wanted) {
      high[k] = here
      above[k] = count
    }
  }
}
