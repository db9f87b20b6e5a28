import { MISSING } from '../series/series.ts'
import { splitByWeight } from './largest-remainder.ts'
import type { PointCurve } from './points.ts'

/** What the producers put together at each step; `unknown` where some are active and none is known. */
export type Pool = { total: Float64Array; produced: Int32Array[]; unknown: Uint8Array; partlyMissing: number }

/** Every figure of a division has 31 bits at most: see MARGIN in largest-remainder.ts. */
const MOST = 0x7fffffff

export function poolOf(producers: PointCurve[], steps: number): Pool {
  const total = new Float64Array(steps)
  const missing = new Uint8Array(steps)
  const known = new Uint8Array(steps)
  const produced = producers.map(({ values, active }) => {
    const own = new Int32Array(steps)
    for (const [from, to] of active)
      for (let at = Math.max(0, from); at < Math.min(steps, to); at++) {
        const value = values[at] ?? MISSING
        own[at] = value < 0 ? MISSING : value
        if (value < 0) missing[at] = 1
        else {
          known[at] = 1
          total[at] = (total[at] ?? 0) + value
        }
      }
    return own
  })
  const unknown = missing.map((is, at) => (is === 1 && known[at] === 0 ? 1 : 0))
  if (total.some((value) => value > MOST)) throw new RangeError('the production of one step is too large')
  return { total, produced, unknown, partlyMissing: missing.reduce((sum, is) => sum + is, 0) }
}

/** Attributes what was handed out at one step to the producers, in proportion to what each injected. */
export function attribute(
  handed: number,
  at: number,
  { total, produced }: Pool,
  shared: Int32Array[],
  room: Room,
): void {
  const [only] = shared
  if (shared.length === 1 && only) {
    only[at] = produced[0]?.[at] === MISSING ? MISSING : handed
    return
  }
  // Half of the year is night.
  if (handed === 0) {
    for (let j = 0; j < shared.length; j++) {
      const own = shared[j]
      if (own) own[at] = produced[j]?.[at] === MISSING ? MISSING : 0
    }
    return
  }
  for (let j = 0; j < produced.length; j++) room.weights[j] = Math.max(0, produced[j]?.[at] ?? 0)
  splitByWeight(handed, room.weights, total[at] ?? 0, room.parts)
  for (let j = 0; j < shared.length; j++) {
    const own = shared[j]
    if (own) own[at] = produced[j]?.[at] === MISSING ? MISSING : (room.parts[j] ?? 0)
  }
}

export type Room = { weights: Float64Array; parts: Float64Array }
export const createRoom = (count: number): Room => ({
  weights: new Float64Array(count),
  parts: new Float64Array(count),
})
