import { type Key, WHOLE } from '../keys/keys.ts'
import { addCurves, addTo } from './curve-sums.ts'
import type { Lane, LaneOf, Shares } from './lanes.ts'
import { spread } from './largest-remainder.ts'
import { type Frame, needLane, weightLane } from './tile.ts'

/** Serves a group in proportion to its needs from what is left, which it lowers by what it took. */
function byNeed(frame: Frame, group: number[], groupTotal: Float64Array, left: Float64Array, shares: Shares): void {
  const { division, length, handed } = frame
  division.length = length
  division.bound = 'need'
  for (let at = 0; at < length; at++) {
    const total = groupTotal[at] ?? 0
    const rest = left[at] ?? 0
    const enough = rest >= total
    division.numerator[at] = enough ? 1 : rest
    division.denominator[at] = enough ? 1 : total
    division.quota[at] = enough ? total : rest
  }
  spread(division, group, (member, place) => needLane(frame, member, place), shares)
  for (let at = 0; at < length; at++) {
    const taken = division.handed[at] ?? 0
    left[at] = (left[at] ?? 0) - taken
    handed[at] = (handed[at] ?? 0) + taken
  }
}

const allOf = ({ consumers }: Frame) => consumers.map((_, member) => member)

export function divideByNeed(frame: Frame, shares: Shares): void {
  byNeed(frame, allOf(frame), frame.total, frame.pool, shares)
}

/** A rank of one needs no division: it takes what it needs of what is left. */
function serveOne(frame: Frame, member: number, left: Float64Array, { outs, outAt }: Shares): void {
  const { need, needAt } = needLane(frame, member)
  const { length, handed } = frame
  const out = outs[member]
  if (!out) return
  for (let at = 0; at < length; at++) {
    const taken = Math.min(need[needAt + at] ?? 0, left[at] ?? 0)
    out[outAt + at] = taken
    left[at] = (left[at] ?? 0) - taken
    handed[at] = (handed[at] ?? 0) + taken
  }
}

/** Consumers by rank, the unranked last. */
export function ranksOf(ids: string[], ranks: Record<string, number>): number[][] {
  const byRank = Map.groupBy(ids.keys(), (member) => ranks[ids[member] ?? ''] ?? Number.POSITIVE_INFINITY)
  return [...byRank].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

export function divideByRank(frame: Frame, groups: number[][], shares: Shares): void {
  const { length, pool } = frame
  const total = new Float64Array(length)
  for (const group of groups) {
    const [first] = group
    // Arrays are born at zero: once nothing is left, the lower ranks have their answer.
    if (!pool.subarray(0, length).some((rest) => rest > 0)) return
    if (group.length === 1 && first !== undefined) serveOne(frame, first, pool, shares)
    else {
      total.fill(0)
      for (const member of group) {
        const { need, needAt } = needLane(frame, member)
        for (let at = 0; at < length; at++) total[at] = (total[at] ?? 0) + (need[needAt + at] ?? 0)
      }
      byNeed(frame, group, total, pool, shares)
    }
  }
}

function sumWeights(frame: Frame, given: number[], laneOf: LaneOf): Float64Array {
  const sums = new Float64Array(frame.length)
  if (frame.always.every(Boolean)) return sums.fill(given.reduce((sum, share) => sum + share, 0))
  for (const member of allOf(frame)) {
    const { weight, weightAt, mask } = laneOf(member, 0)
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (weight[weightAt + (at & mask)] ?? 0)
  }
  return sums
}

export function refuseOver(sums: Float64Array, start: number): void {
  const at = sums.findIndex((sum) => sum > WHOLE)
  if (at >= 0) throw new RangeError(`coefficients sum to ${sums[at]} millionths at step ${start + at}`)
}

/** Fixed shares of the pool, each capped at the need; what a full consumer leaves is surplus. */
export function divideByShare(frame: Frame, given: number[], shares: Shares): void {
  const laneOf: LaneOf = (member, place) => weightLane(frame, member, given[member] ?? 0, 0, place)
  const sums = sumWeights(frame, given, laneOf)
  refuseOver(sums, frame.start)
  const { division, length, pool } = frame
  division.length = length
  division.bound = 'cap'
  for (let at = 0; at < length; at++) {
    const available = pool[at] ?? 0
    division.numerator[at] = available
    division.denominator[at] = WHOLE
    division.quota[at] = Math.floor(((sums[at] ?? 0) * available) / WHOLE)
  }
  spread(division, allOf(frame), laneOf, shares)
  frame.handed.set(division.handed.subarray(0, length))
}

/** What curves of coefficients say of a tile: their sum, the steps they leave out, and whether each can be read as it is. */
type Curves = { sums: Float64Array; bare: Uint8Array; plain: boolean }

function readCurves(frame: Frame, given: (Int32Array | undefined)[], offset: number): Curves {
  const { length, start } = frame
  const everyone = frame.always.every(Boolean)
  const curves = { sums: new Float64Array(length), bare: new Uint8Array(length).fill(1), plain: everyone }
  const tell = (curve: Int32Array, holes: boolean, first: number, last: number) => {
    if (!holes) curves.bare.fill(0, first, last)
    else mend(curves, curve, offset, first, last)
  }
  if (everyone)
    addCurves(
      curves.sums,
      given.filter((curve) => curve !== undefined),
      offset,
      [0, length],
      (curve, holes) => tell(curve, holes, 0, length),
    )
  else
    for (const [member, { active }] of frame.consumers.entries()) {
      const curve = given[member]
      for (const [from, to] of active) {
        const [first, last] = [Math.max(0, from - start), Math.min(length, to - start)]
        if (curve && first < last) tell(curve, addTo(curves.sums, curve, offset, first, last), first, last)
      }
    }
  if (curves.bare.includes(1)) curves.plain = false
  return curves
}

function mend(curves: Curves, curve: Int32Array, offset: number, first: number, last: number): void {
  curves.plain = false
  for (let at = first; at < last; at++) {
    const value = curve[offset + at] ?? 0
    if (value < 0) curves.sums[at] = (curves.sums[at] ?? 0) - value
    else curves.bare[at] = 0
  }
}

/** Coefficients of each step; returns how many open steps had none and so followed the need. */
export function divideByCurve(frame: Frame, given: (Int32Array | undefined)[], offset: number, shares: Shares): number {
  const { division, length, pool, total, closed } = frame
  const { sums, bare, plain } = readCurves(frame, given, offset)
  refuseOver(sums, frame.start)
  division.length = length
  division.bound = 'cap'
  let defaulted = 0
  for (let at = 0; at < length; at++) {
    const available = pool[at] ?? 0
    const needed = total[at] ?? 0
    const enough = available >= needed
    const byNeed = bare[at] === 1
    division.numerator[at] = byNeed && enough ? 1 : available
    division.denominator[at] = byNeed ? (enough ? 1 : needed) : WHOLE
    division.quota[at] = byNeed ? Math.min(available, needed) : Math.floor(((sums[at] ?? 0) * available) / WHOLE)
    if (byNeed && closed[at] === 0) defaulted++
  }
  spread(
    division,
    allOf(frame),
    (member, place) => curveLane(frame, member, place, given[member], offset, plain ? undefined : bare),
    shares,
  )
  frame.handed.set(division.handed.subarray(0, length))
  return defaulted
}

const NOTHING = new Int32Array(0)

function curveLane(
  frame: Frame,
  member: number,
  place: number,
  curve: Int32Array | undefined,
  offset: number,
  bare?: Uint8Array,
): Lane {
  if (curve && !bare) {
    const lane = needLane(frame, member, place)
    lane.weight = curve
    lane.weightAt = offset
    lane.mask = -1
    return lane
  }
  const lane = weightLane(frame, member, curve ?? NOTHING, offset, place)
  for (let at = 0; bare && at < frame.length; at++)
    if (bare[at] === 1) lane.weight[lane.weightAt + at] = lane.need[lane.needAt + at] ?? 0
  return lane
}

/** Shares by consumer of a key of fixed ones; for `equal`, one each. */
export const weightsOf = (ids: string[], key: Extract<Key, { shares: unknown }> | { method: 'equal' }): number[] =>
  ids.map((id) => (key.method === 'equal' ? 1 : (key.shares[id] ?? 0)))
