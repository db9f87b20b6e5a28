import { MISSING } from '../series/series.ts'
import { splitByWeight } from './largest-remainder.ts'
import type { PointCurve } from './points.ts'

/** The production of all producers at each step; `unknown` where some are active and none is known. */
export type ProductionPool = { total: Float64Array; produced: Int32Array[]; unknown: Uint8Array; partlyMissing: number }

/** Every value of a division has 31 bits at most: see MARGIN in threshold.ts. */
const MAX_STEP_PRODUCTION = 0x7fffffff

export function buildProductionPool(producers: PointCurve[], steps: number): ProductionPool {
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
export function attributeToProducers(
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

export type AttributionBuffers = { weights: Float64Array; parts: Float64Array }
export const createAttributionBuffers = (count: number): AttributionBuffers => ({
  weights: new Float64Array(count),
  parts: new Float64Array(count),
})
