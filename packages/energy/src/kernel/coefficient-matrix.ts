import { type AllocationKey, WHOLE_SHARE } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import type { PointCurve } from './allocation-input.ts'
import { computeExactQuotient, type LaneReader, type MemberLane, TILE_STEPS } from './division.ts'
import { requireWithinWhole, sumWeights } from './fixed-shares.ts'
import { shareByLargestRemainder, splitByWeight } from './largest-remainder.ts'
import { REMAINDER_BYTES, ROW_BYTES } from './simd/cap.ts'
import { ensureKernelMemory, routines } from './simd/engine.ts'
import { FREE_OFFSET } from './simd/memory-layout.ts'
import {
  createNeedLane,
  createWeightLane,
  forEachActiveRange,
  listStepsWhere,
  listTileMembers,
  type Tile,
} from './tile.ts'

export type CompleteKey = Extract<AllocationKey, { method: 'complete' }>

/** a_ij of a few steps: one small curve per producer and consumer. */
type CellMatrix = { length: number; cells: Int32Array[][] }

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

/**
 * Per producer, 1 at the steps of the tile where it is known and the key gives no coefficient for it to any present
 * consumer.
 */
function findStepsWithoutCoefficient(
  tile: Tile,
  key: CompleteKey,
  producers: PointCurve[],
  offset: number,
): Uint8Array[] {
  return producers.map((producer) => {
    const bare = new Uint8Array(tile.length)
    const { closed, present, start } = tile
    forEachActiveRange(tile, producer, (from, to) => {
      for (let at = from; at < to; at++)
        if (closed[at] === 0 && present[start + at] === 1 && (producer.values[start + at] ?? MISSING) >= 0) bare[at] = 1
    })
    const row = key.coefficients[producer.id] ?? {}
    for (const consumer of tile.consumers) {
      const given = row[consumer.id]
      if (given === undefined) continue
      forEachActiveRange(tile, consumer, (from, to) => {
        if (typeof given === 'number') bare.fill(0, from, to)
        else for (let at = from; at < to; at++) if ((given[offset + at] ?? MISSING) >= 0) bare[at] = 0
      })
      // A coefficient file lists every consumer: mostly the first one settles all steps.
      if (!bare.includes(1)) break
    }
    return bare
  })
}

/**
 * The energy of producers without a coefficient at a step follows the default rule: in proportion to what each consumer
 * still needs. Marks those steps.
 */
function shareByDefaultRule(tile: Tile, bare: Uint8Array[], produced: Int32Array[], cells: Int32Array[][]): Uint8Array {
  const { length, start, division } = tile
  const pot = new Float64Array(length)
  const steps = new Uint8Array(length)
  for (const [j, own] of bare.entries())
    for (let at = 0; at < length; at++) {
      if (own[at] !== 1) continue
      steps[at] = 1
      pot[at] = (pot[at] ?? 0) + (produced[j]?.[start + at] ?? 0)
    }
  const lit = Int32Array.from(steps.keys()).filter((at) => (pot[at] ?? 0) > 0)
  if (lit.length === 0) return steps
  const rests = computeRemainingNeeds(tile, cells)
  const total = new Float64Array(length)
  for (const rest of rests) for (const at of lit) total[at] = (total[at] ?? 0) + (rest[at] ?? 0)
  division.lit = lit
  division.length = length
  division.bound = 'need'
  for (let at = 0; at < length; at++) {
    const [needed, available] = [total[at] ?? 0, pot[at] ?? 0]
    const enough = available >= needed
    division.numerator[at] = enough ? 1 : available
    division.denominator[at] = enough ? 1 : needed
    division.quota[at] = enough ? needed : available
  }
  const outs = rests.map(() => new Int32Array(length))
  shareByLargestRemainder(division, listTileMembers(tile), createNeedLanes(tile, rests), { outs, outAt: 0 })
  for (const at of lit) distributeStep(at, start, bare, { produced, cells, outs, pot: pot[at] ?? 0 })
  return steps
}

/** What each consumer still needs after the allocation by coefficients. */
function computeRemainingNeeds(tile: Tile, cells: Int32Array[][]): Int32Array[] {
  return listTileMembers(tile).map((member) => {
    const { need, needAt } = createNeedLane(tile, member)
    const rest = new Int32Array(TILE_STEPS)
    for (let at = 0; at < tile.length; at++) {
      let left = need[needAt + at] ?? 0
      for (const row of cells) left -= row[member]?.[at] ?? 0
      rest[at] = left
    }
    return rest
  })
}

const createNeedLanes =
  (tile: Tile, rests: Int32Array[]): LaneReader =>
  (member): MemberLane => {
    const lane = createNeedLane(tile, member)
    lane.need = rests[member] ?? lane.need
    lane.weight = lane.need
    lane.needAt = 0
    lane.weightAt = 0
    lane.mask = -1
    return lane
  }

type DistributeStepInput = { produced: Int32Array[]; cells: Int32Array[][]; outs: Int32Array[]; pot: number }

/** Each producer gives in proportion to what it injected; rows and columns of the step sum to the unit. */
function distributeStep(
  at: number,
  start: number,
  bare: Uint8Array[],
  { produced, cells, outs, pot }: DistributeStepInput,
): void {
  const weights = Float64Array.from(bare, (own, j) => (own[at] === 1 ? (produced[j]?.[start + at] ?? 0) : 0))
  const handed = outs.reduce((sum, out) => sum + (out[at] ?? 0), 0)
  const left = new Float64Array(weights.length)
  splitByWeight(handed, weights, pot, left)
  const columns = left.slice()
  const rest = outs.map((out) => out[at] ?? 0)
  for (const [j, row] of cells.entries())
    for (const [i, out] of outs.entries()) {
      const floor = handed === 0 ? 0 : computeExactQuotient(out[at] ?? 0, columns[j] ?? 0, handed)
      addToCell(row[i], at, floor)
      left[j] = (left[j] ?? 0) - floor
      rest[i] = (rest[i] ?? 0) - floor
    }
  for (const [i, units] of rest.entries())
    for (let unit = 0; unit < units; unit++) {
      const j = left.indexOf(Math.max(...left))
      left[j] = (left[j] ?? 0) - 1
      addToCell(cells[j]?.[i], at, 1)
    }
}

function addToCell(cell: Int32Array | undefined, at: number, value: number): void {
  if (cell) cell[at] = (cell[at] ?? 0) + value
}

/** What each consumer keeps, and what of each producer is kept, over the tile. */
type CappedOutput = { allocated: Int32Array[]; shared: Int32Array[] }

const EXACT_PRODUCT_LIMIT = 2 ** 26

/** Whether products of these values are exact in a double. */
function areProductsExact({ start, length }: Tile, produced: Int32Array[]): boolean {
  for (let at = start; at < start + length; at++) {
    let sum = 0
    for (const own of produced) sum += Math.max(0, own[at] ?? 0)
    if (sum >= EXACT_PRODUCT_LIMIT) return false
  }
  return true
}

/**
 * What consumers cannot use goes back to their producers in proportion to what each had given; writes what each keeps.
 */
function capToNeeds(tile: Tile, cells: Int32Array[][], kept?: CappedOutput): void {
  const { start, length } = tile
  const last = FREE_OFFSET + 2 * cells.length * ROW_BYTES
  const [need, allocated, scratch] = [last, last + ROW_BYTES, last + 2 * ROW_BYTES]
  const { ints } = ensureKernelMemory(scratch + cells.length * REMAINDER_BYTES)
  const cellAt = (j: number) => FREE_OFFSET / 4 + (j * ROW_BYTES) / 2
  const sharedAt = (j: number) => cellAt(j) + ROW_BYTES / 4
  ints.fill(0, FREE_OFFSET / 4, scratch / 4)
  for (const member of tile.consumers.keys()) {
    const lane = createNeedLane(tile, member)
    ints.set(lane.need.subarray(lane.needAt, lane.needAt + length), need / 4)
    for (const [j, row] of cells.entries()) ints.set(row[member]?.subarray(0, length) ?? [], cellAt(j))
    routines.cap(FREE_OFFSET, last, 2 * ROW_BYTES, need, allocated, need + length * 4, scratch)
    for (const [j, row] of cells.entries()) row[member]?.set(ints.subarray(cellAt(j), cellAt(j) + length))
    kept?.allocated[member]?.set(ints.subarray(allocated / 4, allocated / 4 + length), start)
  }
  for (const [j, own] of kept?.shared.entries() ?? []) own.set(ints.subarray(sharedAt(j), sharedAt(j) + length), start)
}
