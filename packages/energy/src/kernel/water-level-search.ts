import type { Sheet } from './sheet.ts'
import { type Room, routines } from './simd/engine.ts'
import { SMALL_POT } from './simd/levels.ts'
import { LINE, WIDTH } from './simd/lines.ts'

/** One member in so many tells about where the level will be; below so many members it is not worth asking. */
const SAMPLE = 16
const WORTH_SAMPLING = 128
/** How often a sample is asked again: nearer to its own level it says no more about everyone's. */
const TURNS = 5
/** Needs that sum to less do so in an integer, whoever is taken for full. */
const SMALL = 2 ** 31
/** At this level nobody is full. */
const NONE = -1
/** How often all are asked in haste before they are asked exactly. */
const HASTY = 4

/** The levels of a band, as numerator / denominator; `open` are the steps where they are to be found. */
export type Levels = {
  open: number[]
  pot: Float64Array
  numerator: Float64Array
  denominator: Float64Array
}

export const createLevels = (): Levels => ({
  open: [],
  pot: new Float64Array(WIDTH),
  numerator: new Float64Array(WIDTH),
  denominator: new Float64Array(WIDTH),
})

/** Weights are one integer each, `weights` together; `equal` where they are all one. */
export type Weighed = { sheet: Sheet; weights: number; equal: boolean }

/**
 * Finds the level at which everyone whose need is at most weight × level is full, and the others share the rest by weight.
 * Whoever is taken out, the level that follows is not above the right one: a wrong guess only costs its turn, and from below the
 * level rises until nobody new is full.
 */
export function findLevels(weighed: Weighed, levels: Levels, band: number, totals: Float64Array): void {
  const { pot, numerator, denominator, open } = levels
  for (const k of open) {
    numerator[k] = pot[k] ?? 0
    denominator[k] = weighed.weights
  }
  const small = open.filter((k) => (totals[k] ?? 0) < SMALL)
  guess(weighed, levels, small, band)
  let near = weighed.equal ? [] : small
  for (let turn = 0; turn < HASTY && near.length > 0; turn++)
    near = moved(weighed, levels, near, addNearly(weighed, levels, near, band, 1))
  let left = open
  while (left.length > 0) left = moved(weighed, levels, left, addFull(weighed, levels, left, band, 1))
}

/** The levels that follow from who is full; gives the steps where they are others than before. */
function moved({ weights }: Weighed, levels: Levels, open: number[], { sums, counts }: Room): number[] {
  const { pot, numerator, denominator } = levels
  return open.filter((k) => {
    const left = (pot[k] ?? 0) - (sums[k] ?? 0)
    const rest = weights - (counts[k] ?? 0)
    if (numerator[k] === left && denominator[k] === rest) return false
    // A guess so high that nothing is left leads back to where nobody is full.
    const lost = rest <= 0 || left < 0
    numerator[k] = lost ? (pot[k] ?? 0) : left
    denominator[k] = lost ? weights : rest
    return true
  })
}

/** Starts where a sample would come to rest with its part of the pot. */
function guess(weighed: Weighed, levels: Levels, open: number[], band: number): void {
  const { pot, numerator, denominator } = levels
  const { weights, sheet, equal } = weighed
  if (sheet.members.length < WORTH_SAMPLING) return
  let whole = 0
  for (let order = 0; order < sheet.members.length; order += SAMPLE)
    whole += sheet.room.ints[sheet.weight / 4 + order] ?? 0
  for (let turn = 0; turn < TURNS; turn++) {
    const { sums, counts } = (equal ? addFull : addNearly)(weighed, levels, open, band, SAMPLE)
    for (const k of open) {
      const left = ((pot[k] ?? 0) * whole) / weights - (sums[k] ?? 0)
      const rest = whole - (counts[k] ?? 0)
      if (rest <= 0 || left <= 0) continue
      numerator[k] = left
      denominator[k] = rest
    }
  }
}

/** Needs and weights of those who are full at the present level, of one member in so many; those at its very edge may be wrong. */
function addNearly(
  { sheet }: Weighed,
  { numerator, denominator }: Levels,
  open: number[],
  band: number,
  every: number,
) {
  const { room, size, weight } = sheet
  const need = sheet.need + band * size
  room.near.fill(NONE)
  for (const k of open) room.near[k] = (numerator[k] ?? 0) / (denominator[k] ?? 1)
  routines.fullNearly(need, need + size, every * LINE, weight, every * 4)
  return room
}

/** The same, exactly. */
function addFull(weighed: Weighed, levels: Levels, open: number[], band: number, every: number) {
  const { sheet, equal } = weighed
  const { room, size, weight } = sheet
  const need = sheet.need + band * size
  const small = open.every((k) => (levels.pot[k] ?? 0) < SMALL_POT)
  room.ratio.fill(small ? 0 : NONE)
  room.under.fill(1)
  room.low.fill(NONE)
  for (const k of open) {
    const [n, d] = [levels.numerator[k] ?? 0, levels.denominator[k] ?? 1]
    room.ratio[k] = small ? n / d : n
    room.under[k] = d
    room.low[k] = Math.floor(n / d)
  }
  if (equal) routines.fullByOne(need, need + size, every * LINE)
  else routines[small ? 'fullByRatio' : 'fullByWeight'](need, need + size, every * LINE, weight, every * 4)
  return room
}
