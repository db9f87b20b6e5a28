import type { Division } from './division.ts'
import type { Tile } from './tile.ts'
import { addFull, ERROR, isSmall } from './water-level-full.ts'
import { guessLevel, SPAN } from './water-level-guess.ts'
import { EVERYONE_FULL, type Level, type Near, ROOM } from './water-level-state.ts'

/**
 * Leaves the level of each step in the division, as numerator / denominator: everyone whose need is at most weight × level is
 * full, and the others share the rest by weight.
 */
export function findLevel(tile: Tile, level: Level): void {
  const { division, length } = tile
  const { pot, weights, needs } = level
  for (let at = 0; at < length; at++) {
    const enough = (pot[at] ?? 0) >= (needs[at] ?? 0)
    division.numerator[at] = enough ? EVERYONE_FULL : (pot[at] ?? 0)
    division.denominator[at] = enough ? 1 : weights
    division.quota[at] = enough ? (needs[at] ?? 0) : (pot[at] ?? 0)
  }
  let open = division.lit.filter((at) => (pot[at] ?? 0) > 0 && (pot[at] ?? 0) < (needs[at] ?? 0))
  guessLevel(tile, level, open)
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
