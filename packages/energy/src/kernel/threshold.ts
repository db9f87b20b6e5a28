import type { BandLayout } from './sheet.ts'
import { routines } from './simd/engine.ts'
import { BAND_STEPS, REMAINDER_UNIT } from './simd/lines.ts'

/** Well above what a double and the rounding of a remainder can be off, as a part of a unit: figures have 31 bits, doubles 53. */
const MARGIN = REMAINDER_UNIT * 2 ** -18
/** A remainder that no other reaches: nobody is served where nothing is left, and who was in doubt is in front of all. */
const NO_REMAINDER = 0x7fffffff
export const SERVED_REMAINDER = NO_REMAINDER - 1
/** Remainders are spread evenly as a rule; where they are not, every so many guesses halve what is left. */
const HALVING_INTERVAL = 4
/** So many between two remainders are ordered sooner than they are told apart by counting everyone again. */
const MAX_CANDIDATES = 4

/** For each step of a band: the units run out between two remainders, and so many members leave at least each of them. */
const low = new Int32Array(BAND_STEPS)
const high = new Int32Array(BAND_STEPS)
const below = new Int32Array(BAND_STEPS)
const above = new Int32Array(BAND_STEPS)

/** Leaves for each step of a band between which remainders its units run out, with room for what a double may be off. */
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

/** Well enough: nothing is to be found, or those who remain are few or too near to one another for a double. */
const isSettled = (k: number, wanted: number) =>
  wanted <= 0 || (high[k] ?? 0) - (low[k] ?? 0) <= MARGIN || (below[k] ?? 0) - (above[k] ?? 0) <= MAX_CANDIDATES

/** Where to look next; false when every step is known well enough. */
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

/** Where as many as there are units leave at least so much, it parts them; otherwise it is a nearer bound. */
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
