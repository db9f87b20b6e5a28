import { type AllocationKey, buildKeyRanges, type KeyRange, WHOLE_SHARE } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import {
  type AllocationInput,
  type AllocationResult,
  isAlwaysActive,
  type PointCurve,
  requireValidPoint,
} from './allocation-input.ts'
import { buildBandLayout, computeBandTotals } from './band-layout.ts'
import { applyStorageRule } from './battery-storage.ts'
import { type CompleteKey, createMatrix, divideByMatrix } from './coefficient-matrix.ts'
import { MAX_TILE_STEPS, type ShareOutput, TILE_STEPS } from './division.ts'
import { divideByCurve, divideByShare, getWeights } from './fixed-shares.ts'
import { shareBands, splitByWeight } from './largest-remainder.ts'
import {
  computePresence,
  createNeedLane,
  createTile,
  listStepsWhere,
  listTileMembers,
  type Presence,
  type Tile,
} from './tile.ts'
import { divideByLevel } from './water-level.ts'

export type { KeySpan } from '../keys/keys.ts'
export type { AllocationInput, AllocationResult, PointCurve } from './allocation-input.ts'

type AllocationContext = {
  input: AllocationInput
  tile: Tile
  most: number
  pool: ProductionPool
  needs: Presence
  result: AllocationResult
  ids: string[]
}

/**
 * Shares the production of every step among the consumers, in whole units: Σ allocated + surplus = production. The
 * number of steps handled at once (`most`) changes only the speed.
 */
export function allocateEnergy(input: AllocationInput, most = MAX_TILE_STEPS): AllocationResult {
  return applyStorageRule(input, allocatePoints(input, most), (part) => allocatePoints(part, most))
}

/** A battery is a consumer and a producer like any other, except at steps where one charges while one releases. */
export function allocatePoints(input: AllocationInput, most = MAX_TILE_STEPS): AllocationResult {
  const { steps, producers, consumers, keys } = input
  for (const point of [...producers, ...consumers]) requireValidPoint(point, steps)
  const pool = buildProductionPool(producers, steps)
  const empty = () => new Int32Array(steps)
  const result: AllocationResult = {
    consumed: [],
    allocated: consumers.map(empty),
    produced: pool.produced,
    shared: producers.map(empty),
    excluded: new Uint8Array(steps),
    defaulted: new Uint8Array(steps),
    counts: { steps, excluded: 0, consumerMissing: 0, producerMissing: pool.partlyMissing, noKey: 0, defaulted: 0 },
  }
  const needs = computePresence(consumers, steps)
  const tile = createTile(needs, steps)
  const run: AllocationContext = { input, pool, needs, result, tile, most, ids: consumers.map(({ id }) => id) }
  for (const stretch of buildKeyRanges(keys, steps)) allocateKeyRange(run, stretch)
  result.counts.excluded = result.excluded.reduce((sum, code) => sum + (code === 0 ? 0 : 1), 0)
  result.counts.defaulted = result.defaulted.reduce((sum, is) => sum + is, 0)
  markExcluded(run)
  return result
}

/** Half of the year is night, so that the daylight values of a tile still fit into the last cache of the processor. */
const MAX_VALUES_AT_ONCE = 2 ** 23
const getTileLimit = ({ length }: PointCurve[]) =>
  Math.max(TILE_STEPS, Math.min(MAX_TILE_STEPS, Math.floor(MAX_VALUES_AT_ONCE / Math.max(1, length))))

function allocateKeyRange(run: AllocationContext, { from, to, key }: KeyRange): void {
  const { tile, input } = run
  const divide =
    key && (key.method === 'complete' ? createMatrixDivider(run, key, from) : createPooledDivider(run, key, from))
  const { producers, consumers } = input
  const room =
    key?.method === 'complete' ? createMatrix(producers.length, consumers.length).length : getTileLimit(consumers)
  for (tile.start = from; tile.start < to; tile.start += tile.length) {
    tile.length = Math.min(run.most, room, to - tile.start)
    prepareTile(run, key === undefined)
    if (divide) divide()
  }
}

/** Prepares the tile and closes the steps that cannot be divided. */
function prepareTile({ tile, pool, needs, result }: AllocationContext, noKey: boolean): void {
  const { start, length, closed } = tile
  const { counts, excluded } = result
  tile.anyClosed = false
  for (let at = 0; at < length; at++) {
    const suspended = needs.suspended[start + at] === 1
    const nobody = suspended && needs.present[start + at] === 0
    const code = nobody ? 1 : pool.unknown[start + at] === 1 ? 2 : noKey ? 3 : 0
    if (suspended) counts.consumerMissing++
    closed[at] = code
    if (code !== 0) tile.anyClosed = true
    excluded[start + at] = code
    tile.pool[at] = code === 0 ? (pool.total[start + at] ?? 0) : 0
  }
  if (noKey) counts.noKey += length
  tile.handed.fill(0, 0, length)
}

type PooledKey = Exclude<AllocationKey, CompleteKey>

/** How a tile is divided under a key with one pool; what depends on the key alone is computed once. */
function createDivider(run: AllocationContext, key: PooledKey, from: number): () => void {
  const { tile, ids, result } = run
  const shares = () => ({ outs: result.allocated, outAt: tile.start })
  switch (key.method) {
    case 'default':
      return () => divideByNeed(tile, shares())
    case 'priority': {
      const groups = groupByRank(ids, key.ranks)
      return () => divideByRank(tile, groups, shares())
    }
    case 'static': {
      const given = getWeights(ids, key)
      return () => divideByShare(tile, given, shares())
    }
    case 'simple': {
      const given = ids.map((id) => key.coefficients[id])
      return () => divideByCurve(tile, given, tile.start - from, shares(), result.defaulted)
    }
    case 'equal':
      return () => divideByLevel(tile, getWeights(ids, key), (available) => available, shares())
    case 'redistributed': {
      // A member who left consumes nothing: its share stays in the pool and goes to the others.
      const whole = Object.values(key.shares).reduce((sum, share) => sum + share, 0)
      if (whole > WHOLE_SHARE) throw new RangeError(`shares sum to ${whole} millionths`)
      const given = getWeights(ids, key)
      return () => divideByLevel(tile, given, (available) => Math.floor((whole * available) / WHOLE_SHARE), shares())
    }
  }
}

function createPooledDivider(run: AllocationContext, key: PooledKey, from: number): () => void {
  const { tile, pool, result } = run
  const divide = createDivider(run, key, from)
  const room = createAttributionBuffers(pool.produced.length)
  return () => {
    tile.division.lit = listStepsWhere(tile.length, (at) => (tile.pool[at] ?? 0) > 0)
    if (tile.division.lit.length > 0 || key.method === 'simple') divide()
    attributeToProducers(tile, pool, result.shared, room)
  }
}

function createMatrixDivider(run: AllocationContext, key: CompleteKey, from: number): () => void {
  const { tile, pool, result, input } = run
  const { producers } = input
  const matrix = createMatrix(producers.length, input.consumers.length)
  return () => {
    const { start, length } = tile
    const done = divideByMatrix(tile, key, producers, pool.produced, start - from, matrix, result.defaulted, result)
    if (!done) addCells(matrix.cells, result, start, length)
    for (const [j, shared] of result.shared.entries())
      for (let at = start; at < start + length; at++) if (pool.produced[j]?.[at] === MISSING) shared[at] = MISSING
  }
}

function addCells(cells: Int32Array[][], { allocated, shared }: AllocationResult, start: number, length: number): void {
  for (const own of [...allocated, ...shared]) own.fill(0, start, start + length)
  for (const [j, row] of cells.entries())
    for (const [i, cell] of row.entries()) {
      const [to, from] = [allocated[i], shared[j]]
      if (to && from) addCell(cell, to, from, start, length)
    }
}

function addCell(cell: Int32Array, allocated: Int32Array, shared: Int32Array, start: number, length: number): void {
  for (let at = 0; at < length; at++) {
    const value = cell[at] ?? 0
    if (value === 0) continue
    allocated[start + at] = (allocated[start + at] ?? 0) + value
    shared[start + at] = (shared[start + at] ?? 0) + value
  }
}

/** An excluded step is unknown for all members of the operation, a step without a measure only for its own consumer. */
function markExcluded({ input, needs, result }: AllocationContext): void {
  const { excluded, counts } = result
  const close = (values: Int32Array | undefined, { active }: PointCurve) => {
    for (const [from, to] of active)
      for (let at = Math.max(0, from); values && at < Math.min(counts.steps, to); at++)
        if (excluded[at] !== 0) values[at] = MISSING
  }
  const clean = counts.excluded === 0
  result.consumed = input.consumers.map((consumer, i) => {
    if (needs.consumers[i] !== consumer) markSuspended(result.allocated[i], consumer)
    if (clean && isAlwaysActive(consumer)) return consumer.values
    const own = new Int32Array(counts.steps)
    for (const [from, to] of consumer.active) {
      const first = Math.max(0, from)
      if (first < to) own.set(consumer.values.subarray(first, to), first)
    }
    if (!clean) close(own, consumer)
    if (!clean) close(result.allocated[i], consumer)
    return own
  })
  if (clean) return
  for (const [j, producer] of input.producers.entries()) {
    close(result.produced[j], producer)
    close(result.shared[j], producer)
  }
}

function markSuspended(allocated: Int32Array | undefined, { values, active }: PointCurve): void {
  for (const [from, to] of active)
    for (let at = Math.max(0, from); allocated && at < Math.min(allocated.length, to); at++)
      if ((values[at] ?? 0) < 0) allocated[at] = MISSING
}

/** Serves a group in proportion to its needs from what is left, and subtracts what it took. */
function serveByNeed(tile: Tile, group: number[], left: Float64Array, shares: ShareOutput): void {
  const { division, length, handed } = tile
  division.length = length
  division.bound = 'need'
  const sheet = buildBandLayout(group, division, (member) => createNeedLane(tile, member))
  shareBands(division, sheet, shares, (band, from, to) => {
    const totals = computeBandTotals(sheet, band)
    for (let at = from; at < to; at++) {
      const total = totals[at - from] ?? 0
      const rest = left[at] ?? 0
      const enough = rest >= total
      division.numerator[at] = enough ? 1 : rest
      division.denominator[at] = enough ? 1 : total
      division.quota[at] = enough ? total : rest
    }
  })
  for (let at = 0; at < length; at++) {
    const taken = division.handed[at] ?? 0
    left[at] = (left[at] ?? 0) - taken
    handed[at] = (handed[at] ?? 0) + taken
  }
}

function divideByNeed(tile: Tile, shares: ShareOutput): void {
  if (tile.consumers.length > 0) serveByNeed(tile, listTileMembers(tile), tile.pool, shares)
}

/** A rank with one member needs no division: it takes what it needs of what is left. */
function serveMember(tile: Tile, member: number, left: Float64Array, { outs, outAt }: ShareOutput): void {
  const { need, needAt } = createNeedLane(tile, member)
  const { length, handed } = tile
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
function groupByRank(ids: string[], ranks: Record<string, number>): number[][] {
  const byRank = Map.groupBy(ids.keys(), (member) => ranks[ids[member] ?? ''] ?? Number.POSITIVE_INFINITY)
  return [...byRank].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

function divideByRank(tile: Tile, groups: number[][], shares: ShareOutput): void {
  const { division, pool } = tile
  for (const group of groups) {
    const [first] = group
    // Arrays start at zero: once nothing is left, the lower ranks are done.
    division.lit = division.lit.filter((at) => (pool[at] ?? 0) > 0)
    if (division.lit.length === 0) return
    if (group.length === 1 && first !== undefined) serveMember(tile, first, pool, shares)
    else serveByNeed(tile, group, pool, shares)
  }
}

/** The production of all producers at each step; `unknown` where some are active and none is known. */
type ProductionPool = { total: Float64Array; produced: Int32Array[]; unknown: Uint8Array; partlyMissing: number }

/** Every value of a division has 31 bits at most: see MARGIN in threshold.ts. */
const MAX_STEP_PRODUCTION = 0x7fffffff

function buildProductionPool(producers: PointCurve[], steps: number): ProductionPool {
  const total = new Float64Array(steps)
  const missing = new Uint8Array(steps)
  const known = new Uint8Array(steps)
  const produced = producers.map((producer) => addProducer(producer, total, missing, known))
  const pool = { total, produced, unknown: new Uint8Array(steps), partlyMissing: 0 }
  for (let at = 0; at < steps; at++) {
    if ((total[at] ?? 0) > MAX_STEP_PRODUCTION) throw new RangeError('the production of one step is too large')
    if (missing[at] === 0) continue
    pool.partlyMissing++
    if (known[at] === 0) pool.unknown[at] = 1
  }
  return pool
}

/**
 * Adds what a producer injected and marks where it is known and where it is not; returns its curve, zero outside the
 * operation.
 */
function addProducer(
  { values, active }: PointCurve,
  total: Float64Array,
  missing: Uint8Array,
  known: Uint8Array,
): Int32Array {
  const own = new Int32Array(total.length)
  for (const [from, to] of active) {
    const last = Math.min(total.length, to)
    for (let at = Math.max(0, from); at < last; at++) {
      const value = values[at] ?? MISSING
      own[at] = value < 0 ? MISSING : value
      if (value < 0) missing[at] = 1
      else {
        known[at] = 1
        total[at] = (total[at] ?? 0) + value
      }
    }
  }
  return own
}

type HandedOutTile = { start: number; length: number; handed: Float64Array }

/** Attributes what was allocated at each step of a tile to the producers, in proportion to what each injected. */
function attributeToProducers(
  tile: HandedOutTile,
  { total, produced }: ProductionPool,
  shared: Int32Array[],
  room: AttributionBuffers,
): void {
  const { weights, parts } = room
  for (let at = tile.start; at < tile.start + tile.length; at++) {
    const handed = tile.handed[at - tile.start] ?? 0
    // Half of the year is night and needs no work.
    if (handed > 0) {
      for (let j = 0; j < produced.length; j++) weights[j] = Math.max(0, produced[j]?.[at] ?? 0)
      splitByWeight(handed, weights, total[at] ?? 0, parts)
    } else parts.fill(0)
    for (let j = 0; j < shared.length; j++) {
      const own = shared[j]
      if (own) own[at] = produced[j]?.[at] === MISSING ? MISSING : (parts[j] ?? 0)
    }
  }
}

type AttributionBuffers = { weights: Float64Array; parts: Float64Array }
const createAttributionBuffers = (count: number): AttributionBuffers => ({
  weights: new Float64Array(count),
  parts: new Float64Array(count),
})
