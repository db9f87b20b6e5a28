import { MISSING } from '../series/series.ts'
import type { KeySpan } from './key-spans.ts'
import { type Key, WHOLE } from './keys.ts'

/** Watt-minutes by step, negative where nothing is known. */
type Curve = { id: string; values: Int32Array }
type Moment = { at: number; pool: number; need: number; needs: number; present: number; producers: Curve[] }

const known = (value: number | undefined) => (value === undefined || value < 0 ? 0 : value)
const part = (pool: number, share: number, whole: number) => (whole > 0 ? Math.floor((pool * share) / whole) : 0)
const shareAt = (share: Int32Array | number | undefined, at: number) =>
  typeof share === 'number' ? share : (share?.[at] ?? MISSING)

/** What a key sets apart for a consumer at one step, before their need; null where it serves by rank. */
function offerAt(key: Key, id: string, from: number, moment: Moment): number | null {
  const { at, pool, need, needs, present, producers } = moment
  const byNeed = part(pool, need, needs)
  switch (key.method) {
    case 'static':
    case 'redistributed':
      return part(pool, key.shares[id] ?? 0, WHOLE)
    case 'equal':
      return part(pool, 1, present)
    case 'default':
      return byNeed
    case 'simple': {
      const bare = Object.values(key.coefficients).every((curve) => shareAt(curve, at - from) === MISSING)
      return bare ? byNeed : part(pool, Math.max(0, shareAt(key.coefficients[id], at - from)), WHOLE)
    }
    case 'complete':
      return producers.reduce((sum, { id: producer, values }) => {
        const row = key.coefficients[producer] ?? {}
        const bare = Object.values(row).every((share) => shareAt(share, at - from) === MISSING)
        const own = known(values[at])
        return sum + (bare ? part(own, need, needs) : part(own, Math.max(0, shareAt(row[id], at - from)), WHOLE))
      }, 0)
    case 'priority':
      return null
  }
}

type Scene = { steps: number; producers: Curve[]; consumers: Curve[]; keys: KeySpan[] }

/** What the keys set apart for a consumer step by step, whether it was drawn or not; null where one of them has ranks. */
export function offersTo(id: string, { steps, producers, consumers, keys }: Scene): Float64Array | null {
  const own = consumers.find((consumer) => consumer.id === id)
  const offers = new Float64Array(steps)
  for (const { from, to, key } of keys) {
    if (key.method === 'priority') return null
    for (let at = from; at < to; at++) {
      const pool = producers.reduce((sum, { values }) => sum + known(values[at]), 0)
      if (pool === 0 || !own || (own.values[at] ?? -1) < 0) continue
      const needs = consumers.reduce((sum, { values }) => sum + known(values[at]), 0)
      const present = consumers.reduce((sum, { values }) => sum + ((values[at] ?? -1) < 0 ? 0 : 1), 0)
      offers[at] = offerAt(key, id, from, { at, pool, need: known(own.values[at]), needs, present, producers }) ?? 0
    }
  }
  return offers
}
