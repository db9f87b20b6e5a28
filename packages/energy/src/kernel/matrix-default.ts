import type { AllocationKey } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { computeExactQuotient } from './exact.ts'
import { type LaneReader, type MemberLane, TILE_STEPS } from './lanes.ts'
import { shareByLargestRemainder, splitByWeight } from './largest-remainder.ts'
import type { PointCurve } from './points.ts'
import { createNeedLane, forEachActiveRange, listTileMembers, type Tile } from './tile.ts'

type CompleteKey = Extract<AllocationKey, { method: 'complete' }>

/**
 * Per producer, 1 at the steps of the tile where it is known and the key gives no coefficient for it to any present
 * consumer.
 */
export function findStepsWithoutCoefficient(
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
export function shareByDefaultRule(
  tile: Tile,
  bare: Uint8Array[],
  produced: Int32Array[],
  cells: Int32Array[][],
): Uint8Array {
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
