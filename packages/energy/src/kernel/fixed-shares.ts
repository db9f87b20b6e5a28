import { type AllocationKey, WHOLE_SHARE } from '../keys/keys.ts'
import { buildBandLayout, computeBandTotals } from './band-layout.ts'
import type { LaneReader, MemberLane, ShareOutput } from './division.ts'
import { shareBands, shareByLargestRemainder } from './largest-remainder.ts'
import { createNeedLane, createWeightLane, listTileMembers, type Tile } from './tile.ts'

/** The sum of all weights at each step: constant where nobody joins or leaves and no weight is a curve. */
export function sumWeights(tile: Tile, given: readonly (Int32Array | number)[], laneOf: LaneReader): Float64Array {
  const sums = new Float64Array(tile.length)
  const constant = tile.always.every(Boolean) && given.every((share) => typeof share === 'number')
  if (constant) return sums.fill(given.reduce((sum, share) => sum + share, 0))
  for (const member of listTileMembers(tile)) {
    const { weight, weightAt, mask } = laneOf(member)
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (weight[weightAt + (at & mask)] ?? 0)
  }
  return sums
}

export function requireWithinWhole(sums: Float64Array, start: number): void {
  const at = sums.findIndex((sum) => sum > WHOLE_SHARE)
  if (at >= 0) throw new RangeError(`coefficients sum to ${sums[at]} millionths at step ${start + at}`)
}

/** Fixed shares of the pool, each capped at the need; what a full consumer leaves is surplus. */
export function divideByShare(tile: Tile, given: number[], shares: ShareOutput): void {
  const laneOf: LaneReader = (member) => createWeightLane(tile, member, given[member] ?? 0, 0)
  const sums = sumWeights(tile, given, laneOf)
  requireWithinWhole(sums, tile.start)
  const { division, length, pool } = tile
  division.length = length
  division.bound = 'cap'
  for (let at = 0; at < length; at++) {
    const available = pool[at] ?? 0
    division.numerator[at] = available
    division.denominator[at] = WHOLE_SHARE
    division.quota[at] = Math.floor(((sums[at] ?? 0) * available) / WHOLE_SHARE)
  }
  shareByLargestRemainder(division, listTileMembers(tile), laneOf, shares)
  tile.handed.set(division.handed.subarray(0, length))
}

/**
 * For a tile: the sum of the coefficients, the steps without any, and whether each curve can be read without checks.
 */
type CoefficientSums = { sums: Float64Array; bare: Uint8Array; plain: boolean }

function sumCoefficientCurves(tile: Tile, given: (Int32Array | undefined)[], offset: number): CoefficientSums {
  const { length, start } = tile
  const always = tile.always.every(Boolean)
  const curves = { sums: new Float64Array(length), bare: new Uint8Array(length).fill(1), plain: always }
  const tell = (curve: Int32Array, holes: boolean, first: number, last: number) => {
    if (!holes) curves.bare.fill(0, first, last)
    else subtractHoles(curves, curve, offset, first, last)
  }
  if (always)
    addCurves(
      curves.sums,
      given.filter((curve) => curve !== undefined),
      offset,
      [0, length],
      (curve, holes) => tell(curve, holes, 0, length),
    )
  else
    for (const [member, { active }] of tile.consumers.entries()) {
      const curve = given[member]
      for (const [from, to] of active) {
        const [first, last] = [Math.max(0, from - start), Math.min(length, to - start)]
        if (curve && first < last) tell(curve, addCurve(curves.sums, curve, offset, first, last), first, last)
      }
    }
  if (curves.bare.includes(1)) curves.plain = false
  return curves
}

function subtractHoles(curves: CoefficientSums, curve: Int32Array, offset: number, first: number, last: number): void {
  curves.plain = false
  for (let at = first; at < last; at++) {
    const value = curve[offset + at] ?? 0
    if (value < 0) curves.sums[at] = (curves.sums[at] ?? 0) - value
    else curves.bare[at] = 0
  }
}

/** Divides by the coefficients of each step; marks open steps, night included, that had none and so follow the need. */
export function divideByCurve(
  tile: Tile,
  given: (Int32Array | undefined)[],
  offset: number,
  shares: ShareOutput,
  defaulted: Uint8Array,
): void {
  const { division, length, pool, closed, present, start } = tile
  const { sums, bare, plain } = sumCoefficientCurves(tile, given, offset)
  requireWithinWhole(sums, tile.start)
  division.length = length
  division.bound = 'cap'
  for (let at = 0; at < length; at++)
    if (bare[at] === 1 && closed[at] === 0 && present[start + at] === 1) defaulted[start + at] = 1
  if (division.lit.length === 0) return
  const sheet = buildBandLayout(listTileMembers(tile), division, (member) =>
    createCurveLane(tile, member, given[member], offset, plain ? undefined : bare),
  )
  const anyBare = bare.includes(1)
  shareBands(division, sheet, shares, (band, from, to) => {
    const totals = anyBare ? computeBandTotals(sheet, band) : undefined
    for (let at = from; at < to; at++) {
      const available = pool[at] ?? 0
      const needed = totals?.[at - from] ?? 0
      const enough = available >= needed
      const byNeed = bare[at] === 1
      division.numerator[at] = byNeed && enough ? 1 : available
      division.denominator[at] = byNeed ? (enough ? 1 : needed) : WHOLE_SHARE
      division.quota[at] = byNeed
        ? Math.min(available, needed)
        : Math.floor(((sums[at] ?? 0) * available) / WHOLE_SHARE)
    }
  })
  tile.handed.set(division.handed.subarray(0, length))
}

const EMPTY_CURVE = new Int32Array(0)

function createCurveLane(
  tile: Tile,
  member: number,
  curve: Int32Array | undefined,
  offset: number,
  bare?: Uint8Array,
): MemberLane {
  if (curve && !bare) {
    const lane = createNeedLane(tile, member)
    lane.weight = curve
    lane.weightAt = offset
    lane.mask = -1
    return lane
  }
  const lane = createWeightLane(tile, member, curve ?? EMPTY_CURVE, offset)
  for (let at = 0; bare && at < tile.length; at++)
    if (bare[at] === 1) lane.weight[lane.weightAt + at] = lane.need[lane.needAt + at] ?? 0
  return lane
}

/** Shares by consumer of a key with fixed shares; for `equal`, one each. */
export const getWeights = (
  ids: string[],
  key: Extract<AllocationKey, { shares: unknown }> | { method: 'equal' },
): number[] => ids.map((id) => (key.method === 'equal' ? 1 : (key.shares[id] ?? 0)))

/** Adds a part of a curve; true when one of its values is unknown, which makes the sum of that step unusable. */
function addCurve(total: Float64Array, values: Int32Array, start: number, first: number, last: number): boolean {
  let signs = 0
  for (let at = first; at < last; at++) {
    const value = values[start + at] ?? 0
    signs |= value
    total[at] = (total[at] ?? 0) + value
  }
  return signs < 0
}

type FourCurves = [Int32Array, Int32Array, Int32Array, Int32Array]

/** The same for four curves at once, in about the time of two: their memory reads overlap. */
function addFour(total: Float64Array, four: FourCurves, start: number, first: number, last: number): boolean {
  const [a, b, c, d] = four
  let signs = 0
  for (let at = first; at < last; at++) {
    const va = a[start + at] ?? 0
    const vb = b[start + at] ?? 0
    const vc = c[start + at] ?? 0
    const vd = d[start + at] ?? 0
    signs |= va | vb | vc | vd
    total[at] = (total[at] ?? 0) + (va + vb + vc + vd)
  }
  return signs < 0
}

/** Adds many curves; for each, says whether a value of it, or of the curves added with it, is unknown. */
function addCurves(
  total: Float64Array,
  curves: readonly Int32Array[],
  start: number,
  [first, last]: [number, number],
  tell: (curve: Int32Array, holes: boolean) => void,
): void {
  for (let k = 0; k < curves.length; k += 4) {
    const [a, b, c, d] = curves.slice(k, k + 4)
    if (a && b && c && d) {
      const holes = addFour(total, [a, b, c, d], start, first, last)
      for (const curve of [a, b, c, d]) tell(curve, holes)
    } else for (const curve of curves.slice(k)) tell(curve, addCurve(total, curve, start, first, last))
  }
}
