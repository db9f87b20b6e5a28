import type { AllocationKey } from '../../keys/keys.ts'

/** The rules of allocation for one step, written plainly and slowly: the fast kernel is compared with them. */
type ReferenceCase = { produced: bigint[]; consumed: bigint[]; key: AllocationKey; at: number }

const sum = (values: bigint[]) => values.reduce((a, b) => a + b, 0n)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
const zero = (count: number) => new Array<bigint>(count).fill(0n)
const WHOLE = 1_000_000n

/** `total` in units, by weight / denominator; the largest remainders get one more, the first of equals served first. */
function largestRemainder(weights: bigint[], numerator: bigint, denominator: bigint, total: bigint): bigint[] {
  const parts = weights.map((weight) => (weight * numerator) / denominator)
  const order = weights
    .map((weight, index) => ({ index, rest: (weight * numerator) % denominator }))
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const left = Number(total - sum(parts))
  for (const { index } of order.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n
  return parts
}

const shareByNeed = (consumed: bigint[], pool: bigint): bigint[] => {
  const total = sum(consumed)
  return pool >= total ? consumed : largestRemainder(consumed, pool, total, pool)
}

const shareByShare = (consumed: bigint[], shares: bigint[], pool: bigint): bigint[] =>
  largestRemainder(shares, pool, WHOLE, (sum(shares) * pool) / WHOLE).map((part, i) => min(part, consumed[i] ?? 0n))

/** Serves members in the order of need per weight: each takes all it needs as long as the level allows it. */
function shareByLevel(consumed: bigint[], weights: bigint[], pot: bigint): bigint[] {
  const result = zero(consumed.length)
  let open = consumed.map((_, i) => i).filter((i) => (weights[i] ?? 0n) > 0n)
  let rest = pot
  for (;;) {
    const whole = sum(open.map((i) => weights[i] ?? 0n))
    const full = open.filter((i) => (consumed[i] ?? 0n) * whole <= (weights[i] ?? 0n) * rest)
    if (full.length === 0) {
      const own = open.map((i) => weights[i] ?? 0n)
      const parts = whole === 0n ? [] : largestRemainder(own, rest, whole, rest)
      for (const [k, i] of open.entries()) result[i] = parts[k] ?? 0n
      return result
    }
    for (const i of full) {
      result[i] = consumed[i] ?? 0n
      rest -= consumed[i] ?? 0n
    }
    open = open.filter((i) => !full.includes(i))
  }
}

function shareByRank(consumed: bigint[], ranks: number[], pool: bigint): bigint[] {
  const result = zero(consumed.length)
  let rest = pool
  for (const rank of [...new Set(ranks)].sort((a, b) => a - b)) {
    const group = ranks.flatMap((own, i) => (own === rank ? [i] : []))
    const parts = shareByNeed(
      group.map((i) => consumed[i] ?? 0n),
      rest,
    )
    for (const [k, i] of group.entries()) result[i] = parts[k] ?? 0n
    rest -= sum(parts)
  }
  return result
}

/** a_ij by the coefficients of each producer, cut back to what each consumer used. */
function shareByMatrix(produced: bigint[], consumed: bigint[], shares: bigint[][]): bigint[][] {
  const given = produced.map((own, j) => {
    const row = shares[j] ?? []
    return largestRemainder(row, own, WHOLE, (sum(row) * own) / WHOLE)
  })
  for (const [i, limit] of consumed.entries()) {
    const column = given.map((row) => row[i] ?? 0n)
    const total = sum(column)
    if (total <= limit) continue
    for (const [j, part] of largestRemainder(column, limit, total, limit).entries()) {
      const row = given[j]
      if (row) row[i] = part
    }
  }
  return given
}

const getConsumerId = (i: number) => `c${i}`
const readShare = (value: Int32Array | number | undefined, at: number) =>
  BigInt(Math.max(0, typeof value === 'number' ? value : (value?.[at] ?? 0)))

const isGiven = (value: Int32Array | number | undefined, at: number) =>
  typeof value === 'number' || (value?.[at] ?? -1) >= 0

/** Producers without coefficients share by the default rule what the others left unserved. */
export function computeReferenceMatrix({ produced, consumed, key, at }: ReferenceCase): bigint[][] {
  if (key.method !== 'complete') throw new Error('not a matrix')
  const given = produced.map((_, j) => consumed.map((_, i) => key.coefficients[`p${j}`]?.[getConsumerId(i)]))
  const bare = given.map((row) => !row.some((value) => isGiven(value, at)))
  const matrix = shareByMatrix(
    produced,
    consumed,
    given.map((row) => row.map((value) => readShare(value, at))),
  )
  const pots = produced.map((own, j) => (bare[j] ? own : 0n))
  const pot = sum(pots)
  const rests = consumed.map((need, i) => need - sum(matrix.map((row) => row[i] ?? 0n)))
  const parts = shareByNeed(rests, pot)
  const whole = sum(parts)
  if (whole === 0n) return matrix
  return addMargins(matrix, parts, largestRemainder(pots, whole, pot, whole))
}

/** Floors of row × column / whole, then each unit left goes to the column with the most left to place. */
function addMargins(matrix: bigint[][], parts: bigint[], columns: bigint[]): bigint[][] {
  const whole = sum(parts)
  const cells = columns.map((column) => parts.map((part) => (part * column) / whole))
  const left = columns.map((column, j) => column - sum(cells[j] ?? []))
  for (const [i, part] of parts.entries())
    for (let units = part - sum(cells.map((row) => row[i] ?? 0n)); units > 0n; units--) {
      const most = left.reduce((best, own, j) => (own > (left[best] ?? 0n) ? j : best), 0)
      left[most] = (left[most] ?? 0n) - 1n
      const row = cells[most]
      if (row) row[i] = (row[i] ?? 0n) + 1n
    }
  return matrix.map((row, j) => row.map((own, i) => own + (cells[j]?.[i] ?? 0n)))
}

export function allocateStep({ produced, consumed, key, at }: ReferenceCase): bigint[] {
  const pool = sum(produced)
  switch (key.method) {
    case 'default':
      return shareByNeed(consumed, pool)
    case 'equal':
      return shareByLevel(
        consumed,
        consumed.map(() => 1n),
        pool,
      )
    case 'static':
      return shareByShare(
        consumed,
        consumed.map((_, i) => readShare(key.shares[getConsumerId(i)], at)),
        pool,
      )
    case 'redistributed': {
      const shares = consumed.map((_, i) => readShare(key.shares[getConsumerId(i)], at))
      return shareByLevel(consumed, shares, (sum(shares) * pool) / WHOLE)
    }
    case 'priority':
      return shareByRank(
        consumed,
        consumed.map((_, i) => key.ranks[getConsumerId(i)] ?? 1e9),
        pool,
      )
    case 'simple': {
      const curves = consumed.map((_, i) => key.coefficients[getConsumerId(i)])
      if (curves.every((curve) => (curve?.[at] ?? -1) < 0)) return shareByNeed(consumed, pool)
      return shareByShare(
        consumed,
        curves.map((curve) => readShare(curve, at)),
        pool,
      )
    }
    case 'complete': {
      const matrix = computeReferenceMatrix({ produced, consumed, key, at })
      return consumed.map((_, i) => sum(matrix.map((row) => row[i] ?? 0n)))
    }
  }
}
