import { allocate, type KeySpan, type PointCurve } from '../kernel/allocate.ts'
import { type Key, WHOLE } from '../keys/keys.ts'
import { sumKnown } from '../series/series.ts'
import { poolOf, sharesAll } from './better-key.ts'
import { type Candidate, type Joining, joinsNext } from './joins-next.ts'

type Scene = { steps: number; producers: PointCurve[]; consumers: PointCurve[]; keys: KeySpan[] }

const NEW = 'newcomer'
const scale = (share: Int32Array | number, kept: number) =>
  typeof share === 'number'
    ? Math.floor(share * kept)
    : share.map((value) => (value < 0 ? value : Math.floor(value * kept)))

/** The newcomer is given its part of consumption, and everybody else's coefficients make room for it. */
function withNewcomer(key: Key, part: number, steps: number): Key {
  const own = Math.floor(part * WHOLE)
  const room = <T extends Int32Array | number>(shares: Record<string, T>) =>
    Object.fromEntries(Object.entries(shares).map(([id, share]) => [id, scale(share, 1 - part)]))
  if (key.method === 'static' || key.method === 'redistributed')
    return { ...key, shares: { ...(room(key.shares) as Record<string, number>), [NEW]: own } } // numbers stay numbers
  if (key.method === 'simple') {
    const coefficients = room(key.coefficients) as Record<string, Int32Array> // curves stay curves
    return { ...key, coefficients: { ...coefficients, [NEW]: new Int32Array(steps).fill(own) } }
  }
  if (key.method !== 'complete') return key
  const rows = Object.entries(key.coefficients).map(([id, row]) => [id, { ...room(row), [NEW]: own }])
  return { ...key, coefficients: Object.fromEntries(rows) }
}

const total = (curves: Int32Array[]) => curves.reduce((sum, values) => sum + sumKnown(values), 0)

/** Who would use most of what is left, under the keys in force: by the formula where they share all there is, else by the kernel. */
export function joinsUnder({ steps, producers, consumers, keys }: Scene, candidates: Candidate[]): Joining[] {
  const production = poolOf(producers, steps)
  const used = Float64Array.from({ length: steps }, (_, at) =>
    consumers.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0),
  )
  if (sharesAll(keys)) return joinsNext(production, used, candidates)
  const before = total(allocate({ steps, producers, consumers, keys }).allocated)
  const drawn = used.reduce((sum, value) => sum + value, 0)
  const tried = candidates.map(({ id, consumption }): Joining => {
    const values = Int32Array.from({ length: steps }, (_, at) => Math.round(consumption[at] ?? -1))
    const part = sumKnown(values) / Math.max(1, drawn + sumKnown(values))
    const { allocated } = allocate({
      steps,
      producers,
      consumers: [...consumers, { id: NEW, values, active: [[0, steps]] }],
      keys: keys.map((span) => ({ ...span, key: withNewcomer(span.key, part, span.to - span.from) })),
    })
    const candidate = sumKnown(allocated.at(-1) ?? new Int32Array())
    const more = total(allocated) - before
    return { id, more, candidate, dilution: candidate - more }
  })
  return tried.sort((a, b) => b.more - a.more)
}
