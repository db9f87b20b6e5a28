import type { KeySpan } from '../keys/key-spans.ts'
import type { AllocationKey } from '../keys/keys.ts'
import type { PointCurve } from './points.ts'

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
