import { MISSING } from '../series/series.ts'

export const METHODS = ['static', 'default', 'simple', 'complete', 'priority', 'redistributed', 'equal'] as const
export type Method = (typeof METHODS)[number]

/** Shares are millionths. */
export const WHOLE = 1_000_000

/** A curve of coefficients starts with its span; MISSING where none was given. */
export type Key =
  | { method: 'static' | 'redistributed'; shares: Record<string, number> }
  | { method: 'default' }
  | { method: 'equal' }
  /** 1 is served first, in proportion to consumption inside a rank; who has no rank comes after all others. */
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

/** Millionths as the French write a percentage: 104,5 %. */
export const percent = (share: number): string => `${String(share / 10_000).replace('.', ',')}\u00A0%`

const problem = (code: KeyProblem['code'], message: string, where: { pointId?: string; step?: number } = {}) => ({
  code,
  message,
  ...where,
})

function unknownPoints(ids: string[], known: string[]): KeyProblem[] {
  const set = new Set(known)
  const message = (id: string) => `Le point ${id} de la clé n’appartient pas à l’opération.`
  return ids.filter((id) => !set.has(id)).map((id) => problem('unknown-point', message(id), { pointId: id }))
}

function missingPoints(ids: string[], expected: string[], what: string): KeyProblem[] {
  const set = new Set(ids)
  const message = (id: string) => `La clé ne donne aucun ${what} au point ${id}.`
  return expected.filter((id) => !set.has(id)).map((id) => problem('missing-point', message(id), { pointId: id }))
}

function negatives(shares: Shares): KeyProblem[] {
  return Object.entries(shares).flatMap(([pointId, share]) => {
    const wrong = (value: number, allowed: number) => !Number.isInteger(value) || value < allowed
    const step = typeof share === 'number' ? (wrong(share, 0) ? 0 : -1) : share.findIndex((v) => wrong(v, MISSING))
    if (step < 0) return []
    const where = typeof share === 'number' ? { pointId } : { pointId, step }
    return [problem('negative', `Le coefficient du point ${pointId} n’est pas un nombre positif.`, where)]
  })
}

function sumsOf(shares: Shares): number[] {
  const all = Object.values(shares)
  const length = Math.max(1, ...all.map((share) => (typeof share === 'number' ? 1 : share.length)))
  const sums = new Array<number>(length).fill(0)
  for (const share of all)
    for (let at = 0; at < length; at++)
      sums[at] = (sums[at] ?? 0) + Math.max(0, typeof share === 'number' ? share : (share[at] ?? 0))
  return sums
}

function overs(shares: Shares, of = ''): KeyProblem[] {
  const sums = sumsOf(shares)
  const step = sums.findIndex((sum) => sum > WHOLE)
  if (step < 0) return []
  const count = sums.filter((sum) => sum > WHOLE).length
  const sum = percent(sums[step] ?? 0)
  const constant = Object.values(shares).every((share) => typeof share === 'number')
  if (constant) return [problem('over', `La somme des coefficients${of} est de ${sum}, au-delà de ${percent(WHOLE)}.`)]
  const others = count > 1 ? ` (${count} pas sont concernés)` : ''
  const message = `La somme des coefficients${of} est de ${sum} au pas ${step + 1}, au-delà de ${percent(WHOLE)}${others}.`
  return [problem('over', message, { step })]
}

const EMPTY = problem('empty', 'La clé ne donne de part à aucun consommateur.')
const isEmpty = (shares: Shares) =>
  Object.values(shares).every((share) => (typeof share === 'number' ? share <= 0 : share.every((v) => v <= 0)))

function checkShares(shares: Shares, consumers: string[]): KeyProblem[] {
  const ids = Object.keys(shares)
  return [
    ...(isEmpty(shares) ? [EMPTY] : []),
    ...unknownPoints(ids, consumers),
    ...missingPoints(ids, consumers, 'coefficient'),
    ...negatives(shares),
    ...overs(shares),
  ]
}

function checkRanks(ranks: Record<string, number>, consumers: string[]): KeyProblem[] {
  const wrong = Object.entries(ranks).filter(([, rank]) => !Number.isInteger(rank) || rank < 1)
  const message = (id: string) => `Le rang du point ${id} doit être un nombre entier à partir de 1.`
  return [
    ...unknownPoints(Object.keys(ranks), consumers),
    ...wrong.map(([id]) => problem('negative', message(id), { pointId: id })),
  ]
}

function checkMatrix(matrix: Record<string, Shares>, consumers: string[], producers: string[]): KeyProblem[] {
  const rows = Object.entries(matrix)
  return [
    ...(rows.every(([, shares]) => isEmpty(shares)) ? [EMPTY] : []),
    ...unknownPoints(Object.keys(matrix), producers),
    ...missingPoints(Object.keys(matrix), producers, 'coefficient'),
    ...rows.flatMap(([producer, shares]) => [
      ...unknownPoints(Object.keys(shares), consumers),
      ...negatives(shares),
      ...overs(shares, ` du producteur ${producer}`),
    ]),
  ]
}

/** What keeps a key from being used, in the words of the person who wrote it. */
export function checkKey(key: Key, consumers: string[], producers: string[]): KeyProblem[] {
  if (consumers.length === 0) return [problem('empty', 'La clé ne concerne aucun consommateur.')]
  switch (key.method) {
    case 'static':
    case 'redistributed':
      return checkShares(key.shares, consumers)
    case 'simple':
      return checkShares(key.coefficients, consumers)
    case 'priority':
      return checkRanks(key.ranks, consumers)
    case 'complete':
      return checkMatrix(key.coefficients, consumers, producers)
    default:
      return []
  }
}
