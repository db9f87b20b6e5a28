import { buildKeyRanges, type KeySpan } from '../keys/keys.ts'
import { allocatePoints } from './allocate.ts'
import type { AllocationResult, PointCurve } from './allocation-input.ts'
import { findMixedSteps, type StoragePot, splitIntoPots, splitMargins } from './battery-storage.ts'
import { type CompleteKey, createMatrix, divideByMatrix } from './coefficient-matrix.ts'
import { TILE_STEPS } from './division.ts'
import { ensureKernelMemory, type KernelMemory, routines } from './simd/engine.ts'
import { BAND_STEPS, FREE_OFFSET } from './simd/memory-layout.ts'
import { PRODUCER_LAYOUT } from './simd/pairs.ts'
import { computePresence, createTile } from './tile.ts'

type ComputePairsInput = {
  allocation: AllocationResult
  keys: KeySpan[]
  producers: PointCurve[]
  consumers: PointCurve[]
}

/**
 * Who received how much from whom, summed by bucket: index ((bucket × producers) + producer) × consumers + consumer. At
 * every step the matrix is whole units, its rows sum to what the consumer got and its columns to what the producer
 * shared.
 */
export function computePairs(input: ComputePairsInput, bucketOf: Uint16Array, buckets: number): Float64Array {
  const { allocation, producers, consumers } = input
  const size = producers.length * consumers.length
  const sums = { buckets: bucketOf, size, consumers: consumers.length, out: new Float64Array(buckets * size) }
  const stretches = buildKeyRanges(input.keys, allocation.counts.steps)
  const layers = splitMargins(input, allocation) ?? [allocation]
  const matrices = stretches.some(({ key }) => key?.method === 'complete') ? listMatrixInputs(input) : []
  for (const { from, to, key } of stretches) {
    if (key?.method === 'complete') for (const own of matrices) addMatrix(own, sums, key, from, to)
    else if (key && producers.length === 1) addSingleProducer(allocation, sums, from, to)
    else if (key)
      for (const layer of layers)
        for (let at = from; at < to; at += TILE_STEPS) addPairsOfTile(layer, sums, at, Math.min(at + TILE_STEPS, to))
  }
  return sums.out
}

type MatrixInput = ComputePairsInput & Pick<StoragePot, 'places'>

/**
 * One allocation as a rule; where a battery charges while one releases, the two pools of those steps and the rest
 * without them.
 */
function listMatrixInputs(input: ComputePairsInput): MatrixInput[] {
  const { allocation, producers } = input
  const places = [...producers.keys()]
  const mixed = findMixedSteps(input, allocation.excluded)
  if (!mixed) return [{ ...input, places }]
  const open = (own: AllocationResult, is: number) => ({
    ...own,
    excluded: own.excluded.map((code, at) => (mixed[at] === is ? code : 1)),
  })
  const pots = splitIntoPots({ ...input, steps: allocation.counts.steps }, allocatePoints)
  return [
    { ...input, places, allocation: open(allocation, 0) },
    ...pots.map((pot) => ({ ...pot.input, places: pot.places, allocation: open(pot.allocation, 1) })),
  ]
}

const addToPair = ({ out, size, buckets, consumers }: PairSums, at: number, j: number, i: number, value: number) => {
  const index = (buckets[at] ?? 0) * size + j * consumers + i
  out[index] = (out[index] ?? 0) + value
}

function addSingleProducer({ allocated }: AllocationResult, sums: PairSums, from: number, to: number): void {
  for (const [i, own] of allocated.entries())
    for (let at = from; at < to; at++) {
      const value = own[at] ?? 0
      if (value > 0) addToPair(sums, at, 0, i, value)
    }
}

function addMatrix(input: MatrixInput, sums: PairSums, key: CompleteKey, from: number, to: number): void {
  const { allocation, producers, consumers, places } = input
  const matrix = createMatrix(producers.length, consumers.length)
  const { steps } = allocation.counts
  const tile = createTile(computePresence(consumers, steps), steps)
  for (tile.start = from; tile.start < to; tile.start += tile.length) {
    tile.length = Math.min(matrix.length, to - tile.start)
    const excluded = allocation.excluded.subarray(tile.start, tile.start + tile.length)
    tile.closed.set(excluded)
    tile.anyClosed = excluded.some((code) => code !== 0)
    divideByMatrix(tile, key, producers, allocation.produced, tile.start - from, matrix)
    for (const [j, row] of matrix.cells.entries())
      for (const [i, cell] of row.entries())
        for (let at = 0; at < tile.length; at++) addToPair(sums, tile.start + at, places[j] ?? 0, i, cell[at] ?? 0)
  }
}

const TILE_ROW_STEPS = TILE_STEPS + BAND_STEPS
const TILE_ROW_BYTES = TILE_ROW_STEPS * Int32Array.BYTES_PER_ELEMENT

type PairMargins = { allocated: Int32Array[]; shared: Int32Array[] }
type PairSums = { buckets: Uint16Array; size: number; consumers: number; out: Float64Array }

/**
 * Rows of the tile in the memory of the vector routines, producers of the current band, and the sums of the current
 * bucket.
 */
type TileTable = {
  room: KernelMemory
  margins: PairMargins
  rows: number
  producers: number
  sums: number
  end: number
}

/**
 * Floors of value × shared / whole, computed in doubles: one that comes out a unit high was within a rounding error of
 * it, so that what is left to place in rows and columns never goes below zero.
 */
function addPairsOfTile(margins: PairMargins, sums: PairSums, from: number, to: number): void {
  const whole = sumShared(margins.shared, from, to)
  if (!whole.some((value) => value > 0)) return
  const table = buildTileTable(margins, from, to)
  for (let at = from; at < to; ) {
    const last = getBandEnd(sums.buckets, at, to)
    if (whole.subarray(at - from, last - from).some((value) => value > 0)) addBand(table, whole, from, at, last)
    if (last === to || sums.buckets[last] !== sums.buckets[at]) flushBucket(table, sums, sums.buckets[at] ?? 0)
    at = last
  }
}

function sumShared(shared: Int32Array[], from: number, to: number): Float64Array {
  const whole = new Float64Array(to - from)
  for (const own of shared)
    for (let at = from; at < to; at++) whole[at - from] = (whole[at - from] ?? 0) + Math.max(0, own[at] ?? 0)
  return whole
}

function buildTileTable(margins: PairMargins, from: number, to: number): TileTable {
  const { allocated, shared } = margins
  const rows = FREE_OFFSET + shared.length * PRODUCER_LAYOUT.size
  const sums = rows + allocated.length * TILE_ROW_BYTES
  const end = sums + 8 * shared.length * allocated.length
  const room = ensureKernelMemory(end)
  for (const [i, own] of allocated.entries()) room.ints.set(own.subarray(from, to), (rows + i * TILE_ROW_BYTES) / 4)
  room.ints.fill(0, sums / 4, end / 4)
  return { room, margins, rows, producers: FREE_OFFSET, sums, end }
}

/** A band belongs to one bucket only. */
function getBandEnd(buckets: Uint16Array, at: number, to: number): number {
  const most = Math.min(to, at + BAND_STEPS)
  let last = at + 1
  while (last < most && buckets[last] === buckets[at]) last++
  return last
}

function addBand(
  { room, margins, rows, producers, sums }: TileTable,
  whole: Float64Array,
  from: number,
  at: number,
  to: number,
) {
  const { allocated, shared } = margins
  for (let k = 0; k < BAND_STEPS; k++) room.sums[k] = at + k < to ? -1 : 0
  const row = rows + (at - from) * 4
  const end = row + allocated.length * TILE_ROW_BYTES
  for (const [j, own] of shared.entries()) {
    const place = producers + j * PRODUCER_LAYOUT.size
    for (let k = 0; k < BAND_STEPS; k++) {
      const left = at + k < to ? Math.max(0, own[at + k] ?? 0) : 0
      const all = whole[at + k - from] ?? 0
      room.doubles[place / 8 + k] = left > 0 ? left / all : 0
      room.ints[(place + PRODUCER_LAYOUT.left) / 4 + k] = left
    }
    routines.lower(row, end, TILE_ROW_BYTES, place, place + PRODUCER_LAYOUT.left)
  }
  const last = producers + shared.length * PRODUCER_LAYOUT.size
  routines.give(row, end, TILE_ROW_BYTES, producers, last, sums, 8 * allocated.length)
}

/** Adds the sums of the current bucket to the total of that bucket, and resets them. */
function flushBucket({ room, sums, end }: TileTable, { out, size }: PairSums, bucket: number): void {
  const own = room.doubles.subarray(sums / 8, end / 8)
  for (let index = 0; index < size; index++)
    out[bucket * size + index] = (out[bucket * size + index] ?? 0) + (own[index] ?? 0)
  own.fill(0)
}
