import { buildKeyRanges, type KeySpan } from '../keys/key-spans.ts'
import { allocatePoints } from './allocate.ts'
import type { AllocationResult } from './allocation.ts'
import { TILE_STEPS } from './lanes.ts'
import { type CompleteKey, createMatrix, divideByMatrix } from './matrix.ts'
import { addPairsOfTile, type PairSums } from './pairs-tile.ts'
import type { PointCurve } from './points.ts'
import { computePresence } from './presence.ts'
import { findMixedSteps, type StoragePot, splitIntoPots, splitMargins } from './storage.ts'
import { createTile } from './tile.ts'

export type ComputePairsInput = {
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
