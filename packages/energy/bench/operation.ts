import type { AllocationInput, PointCurve } from '../src/kernel/allocate.ts'
import { type AllocationKey, KEY_METHODS, type KeyMethod, WHOLE_SHARE } from '../src/keys/keys.ts'

export const CONSUMERS = 1000
export const PRODUCERS = 4
export const STEPS = 35_040

/** Seeded, so that every machine gets the same figures. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const ALWAYS_ACTIVE: [number, number][] = [[0, STEPS]]

/** Part of full power at a step: days of 8 to 16 hours over the year, with clouds. */
function computeSunShare(step: number, cloud: number): number {
  const day = Math.floor(step / 96)
  const half = 6 - 2 * Math.cos((2 * Math.PI * (day + 10)) / 365)
  const hour = (step % 96) / 4 - 12.5
  return Math.abs(hour) >= half ? 0 : Math.cos((hour / half) * (Math.PI / 2)) * (0.3 + 0.7 * cloud)
}

/** Production is sometimes below and sometimes above consumption; with `endless` there is no night: the worst case. */
export function createPoints(endless = false): { producers: PointCurve[]; consumers: PointCurve[] } {
  const random = createRandom(1)
  const consumers = Array.from({ length: CONSUMERS }, (_, i) => {
    const size = 2000 + random() * 60_000
    return {
      id: `c${i}`,
      active: ALWAYS_ACTIVE,
      values: Int32Array.from({ length: STEPS }, () => Math.floor(random() * size)),
    }
  })
  const sun = (step: number) => (endless ? 0.1 + random() : 1.2 * computeSunShare(step, random()))
  const pool = Float64Array.from({ length: STEPS }, (_, step) => CONSUMERS * 16_000 * sun(step))
  const producers = Array.from({ length: PRODUCERS }, (_, j) => ({
    id: `p${j}`,
    active: ALWAYS_ACTIVE,
    values: Int32Array.from(pool, (value) => Math.floor((value * (j + 1)) / 10)),
  }))
  return { producers, consumers }
}

const buildRecord = <T>(prefix: string, count: number, value: (at: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, value(at)]))

export function createKey(method: KeyMethod): AllocationKey {
  const random = createRandom(2)
  const weights = Array.from({ length: CONSUMERS }, () => 0.1 + random())
  const whole = weights.reduce((a, b) => a + b, 0)
  const share = (i: number) => Math.floor(((weights[i] ?? 0) / whole) * WHOLE_SHARE)
  switch (method) {
    case 'static':
    case 'redistributed':
      return { method, shares: buildRecord('c', CONSUMERS, share) }
    case 'priority':
      return { method, ranks: buildRecord('c', CONSUMERS, (i) => 1 + (i % 5)) }
    case 'simple':
      return {
        method,
        coefficients: buildRecord('c', CONSUMERS, (i) =>
          Int32Array.from({ length: STEPS }, (_, at) => share((i + at) % CONSUMERS)),
        ),
      }
    case 'complete':
      return { method, coefficients: buildRecord('p', PRODUCERS, () => buildRecord('c', CONSUMERS, share)) }
    default:
      return { method }
  }
}

export const inputBytes = (
  points: { consumers: PointCurve[]; producers: PointCurve[] },
  key: AllocationKey,
): number => {
  const coefficients = key.method === 'simple' ? Object.keys(key.coefficients).length : 0
  return (points.consumers.length + points.producers.length + coefficients) * STEPS * Int32Array.BYTES_PER_ELEMENT
}

export const createInput = (
  points: { consumers: PointCurve[]; producers: PointCurve[] },
  key: AllocationKey,
): AllocationInput => ({
  steps: STEPS,
  ...points,
  keys: [{ from: 0, to: STEPS, key }],
})

export const isMethod = (text: string | undefined): text is KeyMethod => KEY_METHODS.some((method) => method === text)
