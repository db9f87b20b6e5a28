/**
 * The allocation rules for one step, written plainly in integers. The simulator has its own implementation, so that it
 * is an independent check. Consumers and producers are sorted by number.
 */
export type SimulatedKey =
  | { method: 'default' }
  | { method: 'equal' }
  | { method: 'static' | 'redistributed'; shares: number[] }
  | { method: 'priority'; ranks: number[] }
  /** By producer, then by consumer. */
  | { method: 'complete'; shares: number[][] }

const MILLION = 1_000_000
const LAST_RANK = 1_000_000_000
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)

function divideExactly(value: number, by: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is too large to be shared exactly`)
  return (value - (value % by)) / by
}

/**
 * `total` by weight × numerator / denominator: what is left goes to the largest remainders, the first of equals served
 * first.
 */
function divideByWeight(weights: number[], numerator: number, denominator: number, total: number): number[] {
  const parts = weights.map((weight) => divideExactly(weight * numerator, denominator))
  const order = weights
    .map((weight, at) => ({ at, left: (weight * numerator) % denominator }))
    .sort((a, b) => b.left - a.left || a.at - b.at)
  for (const { at } of order.slice(0, total - sum(parts))) parts[at] = (parts[at] ?? 0) + 1
  return parts
}

function shareByNeed(consumed: number[], pot: number): number[] {
  const wanted = sum(consumed)
  return pot >= wanted ? [...consumed] : divideByWeight(consumed, pot, wanted, pot)
}

/** Shares by weight up to each need; what is left is shared again. */
function shareByWeight(consumed: number[], weights: number[], pot: number): number[] {
  const given = consumed.map(() => 0)
  let open = [...consumed.keys()].filter((at) => (weights[at] ?? 0) > 0)
  let left = pot
  while (open.length) {
    const whole = sum(open.map((at) => weights[at] ?? 0))
    const [level, all] = [left, open]
    const isSated = (at: number) => (consumed[at] ?? 0) * whole <= (weights[at] ?? 0) * level
    open = all.filter((at) => !isSated(at))
    if (open.length === all.length) {
      const own = open.map((at) => weights[at] ?? 0)
      for (const [n, part] of divideByWeight(own, left, whole, left).entries()) given[open[n] ?? 0] = part
      break
    }
    for (const at of all.filter(isSated)) {
      given[at] = consumed[at] ?? 0
      left -= consumed[at] ?? 0
    }
  }
  return given
}

function shareByRank(consumed: number[], ranks: number[], pot: number): number[] {
  const given = consumed.map(() => 0)
  let left = pot
  for (const rank of [...new Set(consumed.map((_, at) => ranks[at] ?? LAST_RANK))].sort((a, b) => a - b)) {
    const group = [...consumed.keys()].filter((at) => (ranks[at] ?? LAST_RANK) === rank)
    const parts = shareByNeed(
      group.map((at) => consumed[at] ?? 0),
      left,
    )
    for (const [n, at] of group.entries()) given[at] = parts[n] ?? 0
    left -= sum(parts)
  }
  return given
}

/** Each producer's own coefficients, cut back where a consumer would get more than its need. */
function shareByProducer(produced: number[], consumed: number[], shares: number[][]): number[][] {
  const given = produced.map((own, from) => {
    const row = consumed.map((_, at) => shares[from]?.[at] ?? 0)
    return divideByWeight(row, own, MILLION, divideExactly(sum(row) * own, MILLION))
  })
  for (const [at, most] of consumed.entries()) {
    const column = given.map((row) => row[at] ?? 0)
    if (sum(column) <= most) continue
    for (const [from, part] of divideByWeight(column, most, sum(column), most).entries()) {
      const row = given[from]
      if (row) row[at] = part
    }
  }
  return given
}

function shareByKey(consumed: number[], key: Exclude<SimulatedKey, { method: 'complete' }>, pot: number): number[] {
  if (key.method === 'default') return shareByNeed(consumed, pot)
  if (key.method === 'priority') return shareByRank(consumed, key.ranks, pot)
  if (key.method === 'equal')
    return shareByWeight(
      consumed,
      consumed.map(() => 1),
      pot,
    )
  const total = divideExactly(sum(key.shares) * pot, MILLION)
  if (key.method === 'redistributed') return shareByWeight(consumed, key.shares, total)
  return divideByWeight(key.shares, pot, MILLION, total).map((part, at) => Math.min(part, consumed[at] ?? 0))
}

/** What each consumer gets, and what each producer gave. */
export function shareStep(
  produced: number[],
  consumed: number[],
  key: SimulatedKey,
): { given: number[]; shared: number[] } {
  if (key.method === 'complete') {
    const cells = shareByProducer(produced, consumed, key.shares)
    return { given: consumed.map((_, at) => sum(cells.map((row) => row[at] ?? 0))), shared: cells.map(sum) }
  }
  const pot = sum(produced)
  // Half of the year is night.
  if (pot === 0) return { given: consumed.map(() => 0), shared: produced.map(() => 0) }
  const given = shareByKey(consumed, key, pot)
  const handed = sum(given)
  return { given, shared: divideByWeight(produced, handed, pot, handed) }
}
