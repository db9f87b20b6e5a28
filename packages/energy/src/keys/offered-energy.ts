import { MISSING } from '../series/series.ts'
import { type AllocationKey, type KeySpan, WHOLE_SHARE } from './keys.ts'

/** Watt-minutes by step, negative where unknown. */
type Curve = { id: string; values: Int32Array }
type StepFigures = { at: number; pool: number; need: number; needs: number; present: number; producers: Curve[] }

const toKnown = (value: number | undefined) => (value === undefined || value < 0 ? 0 : value)
const computePart = (pool: number, share: number, whole: number) => (whole > 0 ? Math.floor((pool * share) / whole) : 0)
const shareAt = (share: Int32Array | number | undefined, at: number) =>
  typeof share === 'number' ? share : (share?.[at] ?? MISSING)

/** What a key reserves for a consumer at one step, before their need; null where it serves by rank. */
function computeOfferAt(key: AllocationKey, id: string, from: number, moment: StepFigures): number | null {
  const { at, pool, need, needs, present, producers } = moment
  const byNeed = computePart(pool, need, needs)
  switch (key.method) {
    case 'static':
    case 'redistributed':
      return computePart(pool, key.shares[id] ?? 0, WHOLE_SHARE)
    case 'equal':
      return computePart(pool, 1, present)
    case 'default':
      return byNeed
    case 'simple': {
      const bare = Object.values(key.coefficients).every((curve) => shareAt(curve, at - from) === MISSING)
      return bare ? byNeed : computePart(pool, Math.max(0, shareAt(key.coefficients[id], at - from)), WHOLE_SHARE)
    }
    case 'complete':
      return producers.reduce((sum, { id: producer, values }) => {
        const row = key.coefficients[producer] ?? {}
        const bare = Object.values(row).every((share) => shareAt(share, at - from) === MISSING)
        const own = toKnown(values[at])
        return (
          sum +
          (bare
            ? computePart(own, need, needs)
            : computePart(own, Math.max(0, shareAt(row[id], at - from)), WHOLE_SHARE))
        )
      }, 0)
    case 'priority':
      return null
  }
}

type OfferedEnergyInput = { steps: number; producers: Curve[]; consumers: Curve[]; keys: KeySpan[] }

/** What the keys reserve for a consumer step by step, whether it was used or not; null where one of them has ranks. */
export function computeOfferedEnergy(
  id: string,
  { steps, producers, consumers, keys }: OfferedEnergyInput,
): Float64Array | null {
  const own = consumers.find((consumer) => consumer.id === id)
  const offers = new Float64Array(steps)
  for (const { from, to, key } of keys) {
    if (key.method === 'priority') return null
    for (let at = from; at < to; at++) {
      const pool = producers.reduce((sum, { values }) => sum + toKnown(values[at]), 0)
      if (pool === 0 || !own || (own.values[at] ?? -1) < 0) continue
      const needs = consumers.reduce((sum, { values }) => sum + toKnown(values[at]), 0)
      const present = consumers.reduce((sum, { values }) => sum + ((values[at] ?? -1) < 0 ? 0 : 1), 0)
      offers[at] =
        computeOfferAt(key, id, from, { at, pool, need: toKnown(own.values[at]), needs, present, producers }) ?? 0
    }
  }
  return offers
}
