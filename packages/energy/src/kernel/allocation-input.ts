import type { AllocationKey, KeySpan } from '../keys/keys.ts'

export type AllocationResult = {
  /**
   * Per consumer: 0 where not active, MISSING where it has no measure or the step is excluded. `consumed` may be the
   * array that was given: read only.
   */
  consumed: Int32Array[]
  allocated: Int32Array[]
  /** Per producer: injected, and the part of it that was allocated; MISSING where unknown or excluded. */
  produced: Int32Array[]
  shared: Int32Array[]
  /**
   * Per step: 0 allocated, 1 no consumer is known, 2 no producer is known, 3 no key in force; the lowest that applies.
   */
  excluded: Uint8Array
  /**
   * Per step: 1 where the key gave no coefficient, for the pool or for a producer, so that the default rule applied.
   */
  defaulted: Uint8Array
  /** Counts of steps. A step may count as missing for a consumer and a producer; neither has to exclude it. */
  counts: AllocationCounts
}
type AllocationCounts = {
  steps: number
  excluded: number
  consumerMissing: number
  producerMissing: number
  noKey: number
  defaulted: number
}
export type AllocationInput = { steps: number; producers: PointCurve[]; consumers: PointCurve[]; keys: KeySpan[] }

/**
 * Energy per step over the whole period, and the half-open step ranges where the point is in the operation. A battery
 * is listed twice: its charge among consumers, its release among producers.
 */
export type PointCurve = { id: string; values: Int32Array; active: [number, number][]; storage?: boolean }

export const isAlwaysActive = ({ active, values }: PointCurve): boolean =>
  active.some(([from, to]) => from <= 0 && to >= values.length)

export function requireValidPoint({ id, values, active }: PointCurve, steps: number): void {
  if (values.length !== steps) throw new RangeError(`point ${id} has ${values.length} steps instead of ${steps}`)
  let end = 0
  for (const [from, to] of active.toSorted(([a], [b]) => a - b)) {
    if (from < end) throw new RangeError(`point ${id} is twice in the operation at step ${from}`)
    end = to
  }
}

/** The same keys over the steps [from, to) alone, counted from there. */
export function sliceSpans(spans: KeySpan[], from: number, to: number): KeySpan[] {
  return spans.flatMap((span) => {
    const first = Math.max(span.from, from)
    const last = Math.min(span.to, to)
    if (first >= last) return []
    return [{ from: first - from, to: last - from, key: sliceKey(span.key, first - span.from, last - span.from) }]
  })
}

function sliceKey(key: AllocationKey, from: number, to: number): AllocationKey {
  const cut = (curve: Int32Array) => curve.subarray(from, to)
  if (key.method === 'simple') return { ...key, coefficients: mapValues(key.coefficients, cut) }
  if (key.method !== 'complete') return key
  const row = (shares: Record<string, Int32Array | number>) =>
    mapValues(shares, (share) => (typeof share === 'number' ? share : cut(share)))
  return { ...key, coefficients: mapValues(key.coefficients, row) }
}

const mapValues = <T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([id, value]) => [id, map(value)]))

/** The same curves over the steps [from, to) alone. */
export const sliceCurves = (curves: PointCurve[], from: number, to: number): PointCurve[] =>
  curves.map(({ values, active, ...point }) => ({
    ...point,
    values: values.subarray(from, to),
    active: active
      .map(([first, last]): [number, number] => [Math.max(0, first - from), Math.min(to, last) - from])
      .filter(([first, last]) => first < last),
  }))
