import { type Key, WHOLE } from '../keys/keys.ts'
import { refuseOver } from './fixed-shares.ts'
import { type LaneOf, TILE_STEPS } from './lanes.ts'
import { shareByLargestRemainder, splitByWeight } from './largest-remainder.ts'
import { bareOf, shareBare } from './matrix-default.ts'
import type { PointCurve } from './points.ts'
import { everyone, needLane, stepsOf, type Tile, weightLane } from './tile.ts'

export type CompleteKey = Extract<Key, { method: 'complete' }>

/** a_ij of a few steps: one small curve per producer and consumer. */
export type Matrix = { length: number; cells: Int32Array[][] }

const CELLS_AT_ONCE = 2 ** 21

export function createMatrix(producers: number, consumers: number): Matrix {
  const length = Math.max(1, Math.min(TILE_STEPS, Math.floor(CELLS_AT_ONCE / Math.max(1, producers * consumers))))
  const row = () => Array.from({ length: consumers }, () => new Int32Array(length))
  return { length, cells: Array.from({ length: producers }, row) }
}

const UNLIMITED = new Int32Array(TILE_STEPS).fill(0x7fffffff)

/**
 * Each producer's energy by its own coefficients; then nobody keeps more than it consumed. A producer without any coefficient at
 * a step follows the default rule there, and the step is marked.
 */
export function divideByMatrix(
  tile: Tile,
  key: CompleteKey,
  producers: PointCurve[],
  produced: Int32Array[],
  offset: number,
  { cells }: Matrix,
  defaulted?: Uint8Array,
): void {
  tile.division.lit = stepsOf(tile.length)
  for (const [producer, { id }] of producers.entries()) {
    const row = key.coefficients[id] ?? {}
    const given = tile.consumers.map((consumer) => row[consumer.id] ?? 0)
    divideOne(tile, given, produced[producer] ?? new Int32Array(0), offset, cells[producer] ?? [])
  }
  for (const member of tile.consumers.keys()) cap(tile, member, cells)
  const bare = bareOf(tile, key, producers, offset)
  if (!bare.some((own) => own.includes(1))) return
  const steps = shareBare(tile, bare, produced, cells)
  defaulted?.set(steps, tile.start)
}

function divideOne(tile: Tile, given: (Int32Array | number)[], values: Int32Array, offset: number, outs: Int32Array[]) {
  const { division, length, start, closed } = tile
  const members = everyone(tile)
  const laneOf: LaneOf = (member, place) => {
    const lane = weightLane(tile, member, given[member] ?? 0, offset, place)
    lane.need = UNLIMITED
    lane.needAt = 0
    return lane
  }
  const sums = new Float64Array(length)
  for (const member of members) {
    const { weight, weightAt, mask } = laneOf(member, 0)
    for (let at = 0; at < length; at++) sums[at] = (sums[at] ?? 0) + (weight[weightAt + (at & mask)] ?? 0)
  }
  refuseOver(sums, start)
  division.length = length
  division.bound = 'cap'
  for (let at = 0; at < length; at++) {
    const available = closed[at] === 0 ? Math.max(0, values[start + at] ?? 0) : 0
    division.numerator[at] = available
    division.denominator[at] = WHOLE
    division.quota[at] = Math.floor(((sums[at] ?? 0) * available) / WHOLE)
  }
  shareByLargestRemainder(division, members, laneOf, { outs, outAt: 0 })
}

/** What a consumer cannot use goes back to its producers in proportion to what each had given. */
function cap(tile: Tile, member: number, cells: Int32Array[][]): void {
  const { need, needAt } = needLane(tile, member)
  const parts = new Float64Array(cells.length)
  const kept = new Float64Array(cells.length)
  for (let at = 0; at < tile.length; at++) {
    let sum = 0
    for (let producer = 0; producer < cells.length; producer++) {
      const part = cells[producer]?.[member]?.[at] ?? 0
      parts[producer] = part
      sum += part
    }
    const limit = need[needAt + at] ?? 0
    if (sum <= limit) continue
    splitByWeight(limit, parts, sum, kept)
    for (let producer = 0; producer < cells.length; producer++) {
      const cell = cells[producer]?.[member]
      if (cell) cell[at] = kept[producer] ?? 0
    }
  }
}
