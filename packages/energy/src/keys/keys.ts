import { MISSING } from '../series/series.ts'

export const KEY_METHODS = ['static', 'default', 'simple', 'complete', 'priority', 'redistributed', 'equal'] as const
export type KeyMethod = (typeof KEY_METHODS)[number]

/** Shares are expressed in millionths. */
export const WHOLE_SHARE = 1_000_000

/** A curve of coefficients starts at the start of its span; MISSING where none was given. */
export type AllocationKey =
  | { method: 'static' | 'redistributed'; shares: Record<string, number> }
  | { method: 'default' }
  | { method: 'equal' }
  /** Rank 1 is served first, in proportion to consumption within a rank; members without a rank come last. */
  | { method: 'priority'; ranks: Record<string, number> }
  /** By consumer. A step without any coefficient follows the default key. */
  | { method: 'simple'; coefficients: Record<string, Int32Array> }
  /** By producer, then by consumer; a number is constant. */
  | { method: 'complete'; coefficients: Record<string, Record<string, Int32Array | number>> }

export type KeyProblem = {
  code: 'over' | 'negative' | 'unknown-point' | 'missing-point' | 'empty'
  message: string
  pointId?: string
  step?: number
}

type Shares = Record<string, Int32Array | number>

/** Millionths as a percentage in French notation: 104,5 %. */
export const formatShare = (share: number): string => `${String(share / 10_000).replace('.', ',')}\u00A0%`

const createProblem = (code: KeyProblem['code'], message: string, where: { pointId?: string; step?: number } = {}) => ({
  code,
  message,
  ...where,
})

function findUnknownPoints(ids: string[], known: string[]): KeyProblem[] {
  const set = new Set(known)
  const message = (id: string) => `Le point ${id} de la clé n’appartient pas à l’opération.`
  return ids.filter((id) => !set.has(id)).map((id) => createProblem('unknown-point', message(id), { pointId: id }))
}

function findMissingPoints(ids: string[], expected: string[], what: string): KeyProblem[] {
  const set = new Set(ids)
  const message = (id: string) => `La clé ne donne aucun ${what} au point ${id}.`
  return expected.filter((id) => !set.has(id)).map((id) => createProblem('missing-point', message(id), { pointId: id }))
}

function findNegatives(shares: Shares): KeyProblem[] {
  return Object.entries(shares).flatMap(([pointId, share]) => {
    const wrong = (value: number, allowed: number) => !Number.isInteger(value) || value < allowed
    const step = typeof share === 'number' ? (wrong(share, 0) ? 0 : -1) : share.findIndex((v) => wrong(v, MISSING))
    if (step < 0) return []
    const where = typeof share === 'number' ? { pointId } : { pointId, step }
    return [createProblem('negative', `Le coefficient du point ${pointId} n’est pas un nombre positif.`, where)]
  })
}

function sumShares(shares: Shares): number[] {
  const all = Object.values(shares)
  const length = Math.max(1, ...all.map((share) => (typeof share === 'number' ? 1 : share.length)))
  const sums = new Array<number>(length).fill(0)
  for (const share of all)
    for (let at = 0; at < length; at++)
      sums[at] = (sums[at] ?? 0) + Math.max(0, typeof share === 'number' ? share : (share[at] ?? 0))
  return sums
}

function findExcess(shares: Shares, of = ''): KeyProblem[] {
  const sums = sumShares(shares)
  const step = sums.findIndex((sum) => sum > WHOLE_SHARE)
  if (step < 0) return []
  const count = sums.filter((sum) => sum > WHOLE_SHARE).length
  const sum = formatShare(sums[step] ?? 0)
  const constant = Object.values(shares).every((share) => typeof share === 'number')
  if (constant)
    return [
      createProblem('over', `La somme des coefficients${of} est de ${sum}, au-delà de ${formatShare(WHOLE_SHARE)}.`),
    ]
  const others = count > 1 ? ` (${count} pas sont concernés)` : ''
  const message = `La somme des coefficients${of} est de ${sum} au pas ${step + 1}, au-delà de ${formatShare(WHOLE_SHARE)}${others}.`
  return [createProblem('over', message, { step })]
}

const EMPTY_KEY_PROBLEM = createProblem('empty', 'La clé ne donne de part à aucun consommateur.')
const isEmpty = (shares: Shares) =>
  Object.values(shares).every((share) => (typeof share === 'number' ? share <= 0 : share.every((v) => v <= 0)))

function findShareProblems(shares: Shares, consumers: string[]): KeyProblem[] {
  const ids = Object.keys(shares)
  return [
    ...(isEmpty(shares) ? [EMPTY_KEY_PROBLEM] : []),
    ...findUnknownPoints(ids, consumers),
    ...findMissingPoints(ids, consumers, 'coefficient'),
    ...findNegatives(shares),
    ...findExcess(shares),
  ]
}

function findRankProblems(ranks: Record<string, number>, consumers: string[]): KeyProblem[] {
  const wrong = Object.entries(ranks).filter(([, rank]) => !Number.isInteger(rank) || rank < 1)
  const message = (id: string) => `Le rang du point ${id} doit être un nombre entier à partir de 1.`
  return [
    ...findUnknownPoints(Object.keys(ranks), consumers),
    ...wrong.map(([id]) => createProblem('negative', message(id), { pointId: id })),
  ]
}

function findMatrixProblems(matrix: Record<string, Shares>, consumers: string[], producers: string[]): KeyProblem[] {
  const rows = Object.entries(matrix)
  return [
    ...(rows.every(([, shares]) => isEmpty(shares)) ? [EMPTY_KEY_PROBLEM] : []),
    ...findUnknownPoints(Object.keys(matrix), producers),
    ...findMissingPoints(Object.keys(matrix), producers, 'coefficient'),
    ...rows.flatMap(([producer, shares]) => [
      ...findUnknownPoints(Object.keys(shares), consumers),
      ...findNegatives(shares),
      ...findExcess(shares, ` du producteur ${producer}`),
    ]),
  ]
}

/** What prevents a key from being used, in French, for the person who wrote it. */
export function findKeyProblems(key: AllocationKey, consumers: string[], producers: string[]): KeyProblem[] {
  if (consumers.length === 0) return [createProblem('empty', 'La clé ne concerne aucun consommateur.')]
  switch (key.method) {
    case 'static':
    case 'redistributed':
      return findShareProblems(key.shares, consumers)
    case 'simple':
      return findShareProblems(key.coefficients, consumers)
    case 'priority':
      return findRankProblems(key.ranks, consumers)
    case 'complete':
      return findMatrixProblems(key.coefficients, consumers, producers)
    default:
      return []
  }
}

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

/**
 * Millionths in proportion to whole weights, with a sum of exactly one: what the floors leave goes to the largest
 * remainders, the first of equals served first.
 */
export function computeProportionalShares(weights: number[]): number[] {
  const exact = weights.map((weight) => BigInt(Math.max(0, Math.round(weight))) * BigInt(WHOLE_SHARE))
  const whole = exact.reduce((sum, weight) => sum + weight, 0n) / BigInt(WHOLE_SHARE)
  if (whole === 0n) return weights.map(() => 0)
  const shares = exact.map((weight) => Number(weight / whole))
  const order = exact
    .map((weight, at) => ({ at, rest: weight % whole }))
    .sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1))
  const left = WHOLE_SHARE - shares.reduce((sum, share) => sum + share, 0)
  for (const { at } of order.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}
