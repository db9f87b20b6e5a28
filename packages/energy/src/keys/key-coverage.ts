import { MISSING } from '../series/series.ts'
import type { AllocationKey } from './keys.ts'

/** A point and the steps at which it is in the operation. */
type PresentPoint = { id: string; active: [number, number][] }
type CoefficientRow = Record<string, Int32Array | number>

const clipRange = (steps: number, [from, to]: [number, number]): [number, number] => [
  Math.max(0, from),
  Math.max(0, Math.min(steps, to)),
]

function markPresent(points: PresentPoint[], steps: number): Uint8Array {
  const present = new Uint8Array(steps)
  for (const { active } of points) for (const range of active) present.fill(1, ...clipRange(steps, range))
  return present
}

/** 1 where the row gives a coefficient, zero included, to a present consumer. */
function markGiven(row: CoefficientRow, consumers: PresentPoint[], steps: number): Uint8Array {
  const given = new Uint8Array(steps)
  for (const { id, active } of consumers) {
    const share = row[id]
    if (share === undefined) continue
    for (const range of active) {
      const [from, to] = clipRange(steps, range)
      if (typeof share === 'number') given.fill(1, from, to)
      else for (let at = from; at < to; at++) if ((share[at] ?? MISSING) >= 0) given[at] = 1
    }
  }
  return given
}

/**
 * The steps for which a key of curves has no coefficient at all, or none for some producer: the default rule applies
 * there. Only steps with a present consumer; other keys cover every step.
 */
export function findUncoveredSteps(
  key: AllocationKey,
  steps: number,
  consumers: PresentPoint[],
  producers: PresentPoint[],
): Uint8Array {
  if (key.method !== 'simple' && key.method !== 'complete') return new Uint8Array(steps)
  const present = markPresent(consumers, steps)
  if (key.method === 'simple') {
    const given = markGiven(key.coefficients, consumers, steps)
    return present.map((is, at) => (is === 1 && given[at] === 0 ? 1 : 0))
  }
  const uncovered = new Uint8Array(steps)
  for (const producer of producers) {
    const there = markPresent([producer], steps)
    const given = markGiven(key.coefficients[producer.id] ?? {}, consumers, steps)
    for (let at = 0; at < steps; at++) if (present[at] === 1 && there[at] === 1 && given[at] === 0) uncovered[at] = 1
  }
  return uncovered
}
