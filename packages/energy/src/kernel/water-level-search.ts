import type { LaneOf } from './lanes.ts'
import type { Division } from './largest-remainder.ts'
import { type Frame, needLane } from './tile.ts'
import { addFull, ERROR, isSmall, type Near, ROOM } from './water-level-full.ts'
import { guessLevel, SPAN } from './water-level-guess.ts'

export const EVERYONE_FULL = 2 ** 31

/** A water level for each step of a tile: how much there is to share, for which needs, and the weights, which never change. */
export type Level = {
  list: number[]
  given: number[]
  /** Of everyone: who is not in the operation needs nothing, and so is full at any level. */
  weights: number
  laneOf: LaneOf
  pot: Float64Array
  needs: Float64Array
  /** Of those who are full, in two widths: a step has its sums in one of them, and nothing in the other. */
  fullNeed: Int32Array
  fullWeight: Int32Array
  largeNeed: Float64Array
  largeWeight: Float64Array
  near: Near
}

export function createLevel(frame: Frame, list: number[], given: number[]): Level {
  const doubles = () => new Float64Array(frame.length)
  const integers = () => new Int32Array(frame.length)
  const many = () => new Int32Array(frame.length * ROOM)
  const laneOf: LaneOf = (member, place) => needLane(frame, member, place)
  const weights = list.reduce((sum, member) => sum + (given[member] ?? 0), 0)
  const full = { fullNeed: integers(), fullWeight: integers(), largeNeed: doubles(), largeWeight: doubles() }
  const near = { low: doubles(), reach: doubles(), count: integers(), needs: many(), weights: many(), hits: integers() }
  const needs = doubles()
  if (list.length === frame.consumers.length && !frame.anyClosed) needs.set(frame.total)
  else
    for (const member of list) {
      const { need, needAt } = laneOf(member, 0)
      for (let at = 0; at < frame.length; at++) needs[at] = (needs[at] ?? 0) + (need[needAt + at] ?? 0)
    }
  return { list, given, weights, laneOf, pot: doubles(), needs, ...full, near }
}

/**
 * Leaves the level of each step in the division, as numerator / denominator: everyone whose need is at most weight × level is
 * full, and the others share the rest by weight.
 */
export function findLevel(frame: Frame, level: Level): void {
  const { division, length } = frame
  const { pot, weights, needs } = level
  for (let at = 0; at < length; at++) {
    const enough = (pot[at] ?? 0) >= (needs[at] ?? 0)
    division.numerator[at] = enough ? EVERYONE_FULL : (pot[at] ?? 0)
    division.denominator[at] = enough ? 1 : weights
    division.quota[at] = enough ? (needs[at] ?? 0) : (pot[at] ?? 0)
  }
  let open = division.lit.filter((at) => (pot[at] ?? 0) > 0 && (pot[at] ?? 0) < (needs[at] ?? 0))
  guessLevel(frame, level, open)
  while (open.length > 0) {
    addFull(division, level, open)
    open = open.filter((at) => raise(division, level, at))
  }
}

/**
 * Takes those who are full out of the division; true when the level may still move. Whoever is taken out, the level that follows
 * is not above the right one: a wrong guess only costs its turn, and from below the level rises until nobody new is full.
 */
function raise({ numerator, denominator }: Division, level: Level, at: number): boolean {
  const { pot, weights, near } = level
  const rest = weights - (level.fullWeight[at] ?? 0) - (level.largeWeight[at] ?? 0)
  const left = (pot[at] ?? 0) - (level.fullNeed[at] ?? 0) - (level.largeNeed[at] ?? 0)
  if (denominator[at] === rest && numerator[at] === left) return false
  const [n, d] = raiseAmong(near, at, left, rest)
  // A guess so high that nothing is left leads back to where nobody is full.
  const lost = d <= 0 || n < 0
  numerator[at] = lost ? (pot[at] ?? 0) : n
  denominator[at] = lost ? weights : d
  const sure = !lost && n / d > (near.low[at] ?? 0) && n / d < (near.reach[at] ?? 0) * (1 - ERROR)
  near.low[at] = 0
  near.reach[at] = isSmall(level, at) && !lost ? (n / d) * (1 + SPAN) : 0
  return !sure || (near.count[at] ?? 0) > ROOM
}

/** Raises a level, given as what is left for the rest of the weights, by those noted near to it. */
function raiseAmong({ count, needs, weights }: Near, at: number, left: number, rest: number): [number, number] {
  const first = at * ROOM
  const last = first + Math.min(ROOM, count[at] ?? 0)
  let [n, d] = [left, rest]
  for (;;) {
    let [nextN, nextD] = [left, rest]
    for (let slot = first; slot < last; slot++) {
      const c = needs[slot] ?? 0
      const w = weights[slot] ?? 0
      if (c * d > w * n) continue
      nextN -= c
      nextD -= w
    }
    if (nextD === d || nextD <= 0 || nextN < 0) return [nextN, nextD]
    n = nextN
    d = nextD
  }
}
