import { type AllocationKey, WHOLE_SHARE } from '../keys/keys.ts'
import { areProductsExact, type CappedOutput, capToNeeds } from './cap.ts'
import { requireWithinWhole, sumWeights } from './fixed-shares.ts'
import { type LaneReader, TILE_STEPS } from './lanes.ts'
import { shareByLargestRemainder, splitByWeight } from './largest-remainder.ts'
import { findStepsWithoutCoefficient, shareByDefaultRule } from './matrix-default.ts'
import type { PointCurve } from './points.ts'
import { createNeedLane, createWeightLane, listStepsWhere, listTileMembers, type Tile } from './tile.ts'

export type CompleteKey = Extract<AllocationKey, { method: 'complete' }>

/** a_ij of a few steps: one small curve per producer and consumer. */
export type CellMatrix = { length: number; cells: Int32Array[][] }

const CELLS_AT_ONCE = 2 ** 21

export function createMatrix(producers: number, consumers: number): CellMatrix {
  const length = Math.max(1, Math.min(TILE_STEPS, Math.floor(CELLS_AT_ONCE / Math.max(1, producers * consumers))))
  const row = () => Array.from({ length: consumers }, () => new Int32Array(length))
  return { length, cells: Array.from({ length: producers }, row) }
}

const EMPTY_CURVE = new Int32Array(0)
const UNLIMITED = new Int32Array(TILE_STEPS).fill(0x7fffffff)

/**
 * Divides the energy of each producer by its own coefficients; then cuts what exceeds a consumer's need. A producer
 * without any coefficient at a step follows the default rule there, and the step is marked. True when all that was kept
 * is written already.
 */
export function divideByMatrix(
  tile: Tile,
  key: CompleteKey,
  producers: PointCurve[],
  produced: Int32Array[],
  offset: number,
  { cells }: CellMatrix,
  defaulted?: Uint8Array,
  kept?: CappedOutput,
): boolean {
  for (const [producer, { id }] of producers.entries()) {
    const row = key.coefficients[id] ?? {}
    const given = tile.consumers.map((consumer) => row[consumer.id] ?? 0)
    divideProducer(tile, given, produced[producer] ?? new Int32Array(0), offset, cells[producer] ?? [])
  }
  const lit = listStepsWhere(tile.length, (at) => produced.some((own) => (own[tile.start + at] ?? 0) > 0))
  const small = areProductsExact(tile, produced)
  if (lit.length > 0 && small) capToNeeds(tile, cells, kept)
  else if (lit.length > 0) for (const member of tile.consumers.keys()) capConsumer(tile, member, cells, lit)
  const bare = findStepsWithoutCoefficient(tile, key, producers, offset)
  if (!bare.some((own) => own.includes(1))) return small
  const steps = shareByDefaultRule(tile, bare, produced, cells)
  defaulted?.set(steps, tile.start)
  return false
}

function divideProducer(
  tile: Tile,
  given: (Int32Array | number)[],
  values: Int32Array,
  offset: number,
  outs: Int32Array[],
) {
  const { division, length, start, closed } = tile
  const laneOf: LaneReader = (member) => {
    const lane = createWeightLane(tile, member, given[member] ?? 0, offset)
    lane.need = UNLIMITED
    lane.needAt = 0
    return lane
  }
  const sums = sumWeights(tile, given, laneOf)
  requireWithinWhole(sums, start)
  division.length = length
  division.bound = 'cap'
  for (let at = 0; at < length; at++) {
    const available = closed[at] === 0 ? Math.max(0, values[start + at] ?? 0) : 0
    division.numerator[at] = available
    division.denominator[at] = WHOLE_SHARE
    division.quota[at] = Math.floor(((sums[at] ?? 0) * available) / WHOLE_SHARE)
  }
  division.lit = listStepsWhere(length, (at) => (division.numerator[at] ?? 0) > 0)
  if (division.lit.length === 0) for (const out of outs) out.fill(0, 0, length)
  else shareByLargestRemainder(division, listTileMembers(tile), laneOf, { outs, outAt: 0 })
}

/** What a consumer cannot use goes back to its producers in proportion to what each had given. */
function capConsumer(tile: Tile, member: number, cells: Int32Array[][], lit: Int32Array): void {
  const { need, needAt } = createNeedLane(tile, member)
  const own = cells.map((row) => row[member] ?? EMPTY_CURVE)
  const [parts, kept] = [new Float64Array(own.length), new Float64Array(own.length)]
  const given = new Float64Array(tile.length)
  for (const cell of own) for (let at = 0; at < given.length; at++) given[at] = (given[at] ?? 0) + (cell[at] ?? 0)
  for (let k = 0; k < lit.length; k++) {
    const at = lit[k] ?? 0
    const sum = given[at] ?? 0
    const limit = need[needAt + at] ?? 0
    if (sum <= limit) continue
    for (let producer = 0; producer < own.length; producer++) parts[producer] = own[producer]?.[at] ?? 0
    splitByWeight(limit, parts, sum, kept)
    for (let producer = 0; producer < own.length; producer++) {
      const cell = own[producer]
      if (cell) cell[at] = kept[producer] ?? 0
    }
  }
}
