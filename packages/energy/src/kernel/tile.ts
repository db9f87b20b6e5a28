import { isAlwaysActive, type PointCurve } from './allocation-input.ts'
import { createDivision, type Division, MAX_TILE_STEPS, type MemberLane } from './division.ts'
import { ensureKernelMemory, routines } from './simd/engine.ts'
import { BAND_STEPS, FREE_OFFSET } from './simd/memory-layout.ts'

/** The steps being handled: what can be shared, what is needed, and which steps are closed to any division. */
export type Tile = {
  start: number
  length: number
  consumers: PointCurve[]
  always: boolean[]
  /** The steps, among all, at which some consumer takes part. */
  present: Uint8Array
  closed: Uint8Array
  anyClosed: boolean
  pool: Float64Array
  handed: Float64Array
  /** Buffers for values of the current member that differ from its curve. */
  own: { need: Int32Array; weight: Int32Array }
  division: Division
}

export function createTile({ consumers, present }: Presence, steps: number): Tile {
  const size = Math.min(MAX_TILE_STEPS, steps)
  const doubles = () => new Float64Array(size)
  const integers = () => new Int32Array(size)
  return {
    start: 0,
    length: 0,
    consumers,
    always: consumers.map(isAlwaysActive),
    present,
    closed: new Uint8Array(size),
    anyClosed: false,
    pool: doubles(),
    handed: doubles(),
    own: { need: integers(), weight: integers() },
    division: createDivision(size),
  }
}

/** Calls back with the parts of the tile, relative to its start, where the point is in the operation. */
export function forEachActiveRange(
  { start, length }: Tile,
  { active }: PointCurve,
  each: (from: number, to: number) => void,
): void {
  for (const [from, to] of active) {
    const first = Math.max(0, from - start)
    const last = Math.min(length, to - start)
    if (first < last) each(first, last)
  }
}

/** What a consumer needs at each step: zero outside the operation and where the step is closed. */
export function createNeedLane(tile: Tile, member: number): MemberLane {
  const { start, length, closed } = tile
  const consumer = tile.consumers[member]
  if (!consumer) throw new RangeError(`no consumer ${member}`)
  const { values } = consumer
  if (tile.always[member] && !tile.anyClosed)
    return { need: values, needAt: start, weight: values, weightAt: start, mask: -1 }
  const { need } = tile.own
  need.fill(0, 0, length)
  forEachActiveRange(tile, consumer, (from, to) => {
    for (let at = from; at < to; at++) need[at] = closed[at] === 0 ? (values[start + at] ?? 0) : 0
  })
  return { need, needAt: 0, weight: need, weightAt: 0, mask: -1 }
}

/** The same with a weight where the consumer is in the operation: a constant, or a curve from `offset` on. */
export function createWeightLane(tile: Tile, member: number, given: Int32Array | number, offset: number): MemberLane {
  const lane = createNeedLane(tile, member)
  const consumer = tile.consumers[member]
  const { length } = tile
  const { weight } = tile.own
  lane.weight = weight
  lane.weightAt = 0
  if (typeof given === 'number' && tile.always[member]) {
    weight[0] = given
    lane.mask = 0
    return lane
  }
  weight.fill(0, 0, length)
  if (consumer)
    forEachActiveRange(tile, consumer, (from, to) => {
      if (typeof given === 'number') weight.fill(given, from, to)
      else for (let at = from; at < to; at++) weight[at] = Math.max(0, given[offset + at] ?? 0)
    })
  return lane
}

/** The steps of a tile for which the condition is true. */
export function listStepsWhere(length: number, holds: (at: number) => boolean): Int32Array {
  const steps = new Int32Array(length)
  let count = 0
  for (let at = 0; at < length; at++) if (holds(at)) steps[count++] = at
  return steps.subarray(0, count)
}
export const listTileMembers = ({ consumers }: Tile): number[] => consumers.map((_, member) => member)

/**
 * Who takes part in each step. A consumer without a measure is suspended: it takes no part in that step, as if it were
 * not in the operation, and the others share by the rule of the key.
 */
export type Presence = {
  /** Each consumer, with its ranges cut at its missing steps. */
  consumers: PointCurve[]
  /** 1 where a consumer takes part, and where one is suspended. */
  present: Uint8Array
  suspended: Uint8Array
}

export function computePresence(consumers: PointCurve[], steps: number): Presence {
  const suspended = new Uint8Array(steps)
  const cut = consumers.map((consumer) =>
    hasHoles(consumer.values) ? cutAtHoles(consumer, steps, suspended) : consumer,
  )
  const present = new Uint8Array(steps)
  if (cut.some(isAlwaysActive)) present.fill(1)
  else
    for (const { active } of cut)
      for (const [from, to] of active) if (from < to) present.fill(1, Math.max(0, from), Math.max(0, to))
  return { consumers: cut, present, suspended }
}

/** The part of a curve that fits into the first cache of the processor; whole cache lines. */
const CHUNK_LENGTH = 2 ** 13

/** Most curves have no missing step: the vector routines find that out faster than a loop. */
function hasHoles(values: Int32Array): boolean {
  const { ints } = ensureKernelMemory(FREE_OFFSET + (CHUNK_LENGTH + BAND_STEPS) * 4)
  for (let from = 0; from < values.length; from += CHUNK_LENGTH) {
    const part = values.subarray(from, from + CHUNK_LENGTH)
    const end = FREE_OFFSET / 4 + part.length
    ints.set(part, FREE_OFFSET / 4)
    ints.fill(0, end, end + BAND_STEPS)
    if (routines.signs(FREE_OFFSET, end * 4) !== 0) return true
  }
  return false
}

function cutAtHoles(consumer: PointCurve, steps: number, suspended: Uint8Array): PointCurve {
  const { values } = consumer
  const active: [number, number][] = []
  let whole = true
  for (const [first, last] of consumer.active) {
    let from = Math.max(0, first)
    const to = Math.min(steps, last)
    for (let at = from; at < to; at++) {
      if ((values[at] ?? 0) >= 0) continue
      whole = false
      suspended[at] = 1
      if (from < at) active.push([from, at])
      from = at + 1
    }
    if (from < to) active.push([from, to])
  }
  return whole ? consumer : { ...consumer, active }
}
