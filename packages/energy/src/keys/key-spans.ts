import type { AllocationKey } from './keys.ts'

/** A key in force over a range of steps; its curves of coefficients start at `from`. */
export type KeySpan = { from: number; to: number; key: AllocationKey }
export type KeyRange = { from: number; to: number; key?: AllocationKey }

/** The whole period cut where the key changes, including the parts without a key. */
export function buildKeyRanges(keys: KeySpan[], steps: number): KeyRange[] {
  const stretches: KeyRange[] = []
  let at = 0
  for (const { from, to, key } of keys.toSorted((a, b) => a.from - b.from)) {
    if (to <= from) continue
    if (from < at) throw new RangeError(`two keys are in force at step ${from}`)
    if (to > steps) throw new RangeError(`a key goes on to step ${to} of ${steps}`)
    requireCurveLengths(key, to - from)
    if (from > at) stretches.push({ from: at, to: from })
    stretches.push({ from, to, key })
    at = to
  }
  if (at < steps) stretches.push({ from: at, to: steps })
  return stretches
}

function requireCurveLengths(key: AllocationKey, length: number): void {
  const curves =
    key.method === 'simple'
      ? Object.values(key.coefficients)
      : key.method === 'complete'
        ? Object.values(key.coefficients).flatMap((row) => Object.values(row))
        : []
  for (const curve of curves)
    if (typeof curve !== 'number' && curve.length < length)
      throw new RangeError(`a curve of coefficients has ${curve.length} steps instead of ${length}`)
}
