import { allocateEnergy, type KeySpan, type PointCurve } from '../kernel/allocate.ts'
import { type AllocationKey, WHOLE_SHARE } from '../keys/keys.ts'
import { sumKnown } from '../series/series.ts'
import { sharesAllProduction, sumProduction } from './better-key.ts'

type JoinCandidate = { id: string; consumption: ArrayLike<number> }
/**
 * In the unit of the curves: what the community uses more, what the candidate receives, and what members lose (default
 * key).
 */
export type CandidateGain = { id: string; more: number; candidate: number; dilution: number }

/**
 * The candidates ranked by use of the surplus: Δ = Σmin(P, C + c) − Σmin(P, C), for every key that shares all it can.
 * `dilution` is what members would receive less under the default key. Steps with an unknown value are left out for
 * all.
 */
export function rankCandidates(
  production: ArrayLike<number>,
  consumption: ArrayLike<number>,
  candidates: JoinCandidate[],
): CandidateGain[] {
  return candidates
    .map((candidate) => computeCandidateGain(production, consumption, candidate))
    .sort((a, b) => b.more - a.more)
}

function computeCandidateGain(
  production: ArrayLike<number>,
  consumption: ArrayLike<number>,
  candidate: JoinCandidate,
): CandidateGain {
  let [more, own] = [0, 0]
  for (let at = 0; at < production.length; at++) {
    const [made, used, extra] = [production[at] ?? -1, consumption[at] ?? -1, candidate.consumption[at] ?? -1]
    if (!(made >= 0 && used >= 0 && extra >= 0)) continue
    const shared = Math.min(made, used + extra)
    more += shared - Math.min(made, used)
    own += used + extra > 0 ? (shared * extra) / (used + extra) : 0
  }
  return { id: candidate.id, more, candidate: own, dilution: own - more }
}

type AllocationSetup = { steps: number; producers: PointCurve[]; consumers: PointCurve[]; keys: KeySpan[] }

const NEWCOMER_ID = 'newcomer'
const scaleShare = (share: Int32Array | number, kept: number) =>
  typeof share === 'number'
    ? Math.floor(share * kept)
    : share.map((value) => (value < 0 ? value : Math.floor(value * kept)))

/** The newcomer gets a coefficient equal to its part of consumption, and all others are scaled down to make room. */
function addNewcomerToKey(key: AllocationKey, part: number, steps: number): AllocationKey {
  const own = Math.floor(part * WHOLE_SHARE)
  const room = <T extends Int32Array | number>(shares: Record<string, T>) =>
    Object.fromEntries(Object.entries(shares).map(([id, share]) => [id, scaleShare(share, 1 - part)]))
  if (key.method === 'static' || key.method === 'redistributed')
    return { ...key, shares: { ...(room(key.shares) as Record<string, number>), [NEWCOMER_ID]: own } } // numbers stay numbers
  if (key.method === 'simple') {
    const coefficients = room(key.coefficients) as Record<string, Int32Array> // a map of curves keeps its type
    return { ...key, coefficients: { ...coefficients, [NEWCOMER_ID]: new Int32Array(steps).fill(own) } }
  }
  if (key.method !== 'complete') return key
  const rows = Object.entries(key.coefficients).map(([id, row]) => [id, { ...room(row), [NEWCOMER_ID]: own }])
  return { ...key, coefficients: Object.fromEntries(rows) }
}

const sumCurves = (curves: Int32Array[]) => curves.reduce((sum, values) => sum + sumKnown(values), 0)

/**
 * The candidates ranked by use of the surplus, under the keys in force: by formula where keys share all they can, else
 * by the kernel.
 */
export function rankCandidatesByKernel(
  { steps, producers, consumers, keys }: AllocationSetup,
  candidates: JoinCandidate[],
): CandidateGain[] {
  const production = sumProduction(producers, steps)
  const used = Float64Array.from({ length: steps }, (_, at) =>
    consumers.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0),
  )
  if (sharesAllProduction(keys)) return rankCandidates(production, used, candidates)
  const before = sumCurves(allocateEnergy({ steps, producers, consumers, keys }).allocated)
  const drawn = used.reduce((sum, value) => sum + value, 0)
  const tried = candidates.map(({ id, consumption }): CandidateGain => {
    const values = Int32Array.from({ length: steps }, (_, at) => Math.round(consumption[at] ?? -1))
    const part = sumKnown(values) / Math.max(1, drawn + sumKnown(values))
    const { allocated } = allocateEnergy({
      steps,
      producers,
      consumers: [...consumers, { id: NEWCOMER_ID, values, active: [[0, steps]] }],
      keys: keys.map((span) => ({ ...span, key: addNewcomerToKey(span.key, part, span.to - span.from) })),
    })
    const candidate = sumKnown(allocated.at(-1) ?? new Int32Array())
    const more = sumCurves(allocated) - before
    return { id, more, candidate, dilution: candidate - more }
  })
  return tried.sort((a, b) => b.more - a.more)
}
