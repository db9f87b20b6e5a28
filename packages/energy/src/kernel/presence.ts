import { isAlwaysActive, type PointCurve } from './points.ts'
import { ensureKernelMemory, routines } from './simd/engine.ts'
import { BAND_STEPS, FREE_OFFSET } from './simd/lines.ts'

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
