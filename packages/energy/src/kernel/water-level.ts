import { LANES, type Quad, type Shares, takeLanes } from './lanes.ts'
import { shareByLargestRemainder } from './largest-remainder.ts'
import { everyone, needLane, type Tile, weightLane } from './tile.ts'
import { findLevel } from './water-level-search.ts'
import { createLevel, EVERYONE_FULL } from './water-level-state.ts'

/**
 * Weighted water-filling: everyone rises with the same level per unit of weight, and who is full leaves the rest to the others.
 * `potOf` tells how much of the pool is to be shared at most.
 */
export function divideByLevel(tile: Tile, given: number[], potOf: (pool: number) => number, shares: Shares): void {
  const list = everyone(tile).filter((member) => (given[member] ?? 0) > 0)
  const { division, length } = tile
  const level = createLevel(tile, list, given)
  for (let at = 0; at < length; at++) level.pot[at] = potOf(tile.pool[at] ?? 0)
  division.length = length
  division.bound = 'fill'
  findLevel(tile, level)
  if (given.every((weight) => weight === 1)) fillEqually(tile, list, shares)
  else
    shareByLargestRemainder(
      division,
      list,
      (member, place) => weightLane(tile, member, given[member] ?? 0, 0, place),
      shares,
    )
  tile.handed.set(division.quota.subarray(0, length))
}

/** Equal weights have equal remainders: the units left go to the first who are not full. Without branches nobody could guess. */
function fillEqually(tile: Tile, list: number[], shares: Shares): void {
  const { length, division } = tile
  const { lit } = division
  const level = new Int32Array(length)
  const units = new Int32Array(length)
  for (let at = 0; at < length; at++) {
    const [n, d] = [division.numerator[at] ?? 0, division.denominator[at] ?? 1]
    level[at] = Math.min(Math.floor(n / d), EVERYONE_FULL - 1)
    units[at] = n === EVERYONE_FULL ? 0 : n % d
  }
  const { quad } = division.work
  for (let first = 0; first < list.length; first += LANES) {
    // Who is not in the operation needs nothing, and so is full.
    takeLanes(quad, list, first, (member, place) => needLane(tile, member, place), shares)
    fillLanes(quad, lit, level, units)
  }
}

function fillLanes({ a, b, c, d }: Quad, lit: Int32Array, level: Int32Array, units: Int32Array): void {
  const { need: na, needAt: ja, out: oa, outAt: ta } = a
  const { need: nb, needAt: jb, out: ob, outAt: tb } = b
  const { need: nc, needAt: jc, out: oc, outAt: tc } = c
  const { need: nd, needAt: jd, out: od, outAt: td } = d
  for (let k = 0; k < lit.length; k++) {
    const at = lit[k] ?? 0
    const l = level[at] ?? 0
    const u = units[at] ?? 0
    const pa = filled(na[ja + at] ?? 0, l, u)
    const ua = u - unitOf(na[ja + at] ?? 0, l, u)
    const pb = filled(nb[jb + at] ?? 0, l, ua)
    const ub = ua - unitOf(nb[jb + at] ?? 0, l, ua)
    const pc = filled(nc[jc + at] ?? 0, l, ub)
    const uc = ub - unitOf(nc[jc + at] ?? 0, l, ub)
    oa[ta + at] = pa
    ob[tb + at] = pb
    oc[tc + at] = pc
    od[td + at] = filled(nd[jd + at] ?? 0, l, uc)
    units[at] = uc - unitOf(nd[jd + at] ?? 0, l, uc)
  }
}

/** One while units are left and the need is above the level. */
const unitOf = (need: number, level: number, units: number) => ~((need - level - 1) >> 31) & (-units >>> 31)

/** The level and a unit, or the need of who is full. */
function filled(need: number, level: number, units: number): number {
  const full = (need - level - 1) >> 31
  return (need & full) | ((level + unitOf(need, level, units)) & ~full)
}
