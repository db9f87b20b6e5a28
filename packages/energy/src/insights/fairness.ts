/** 0: all equal; towards 1: one member has everything. */
export function computeGini(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const whole = sorted.reduce((sum, value) => sum + value, 0)
  if (whole <= 0) return 0
  const ranked = sorted.reduce((sum, value, at) => sum + (2 * (at + 1) - sorted.length - 1) * value, 0)
  return ranked / (sorted.length * whole)
}

/** 1: all equal; 1/n: one member has everything. */
export function computeJainIndex(values: ArrayLike<number>): number {
  const all = Float64Array.from(values)
  const sum = all.reduce((total, value) => total + value, 0)
  const squares = all.reduce((total, value) => total + value * value, 0)
  return squares > 0 ? (sum * sum) / (all.length * squares) : 1
}

const ENVY_RATIO = 1.05

/** Pairs [who, whose]: with the coefficient of the other, a member would have received over 5 % more. */
export function listEnvyPairs(
  members: { id: string; consumption: ArrayLike<number> }[],
  production: ArrayLike<number>,
  shares: Record<string, number>,
): [string, string][] {
  const received = (consumption: ArrayLike<number>, share: number) => {
    let sum = 0
    for (let at = 0; at < production.length; at++)
      sum += Math.min(Math.max(0, consumption[at] ?? 0), share * Math.max(0, production[at] ?? 0))
    return sum
  }
  return members.flatMap(({ id, consumption }) => {
    const own = received(consumption, shares[id] ?? 0)
    return members
      .filter((other) => other.id !== id && received(consumption, shares[other.id] ?? 0) > ENVY_RATIO * own)
      .map((other): [string, string] => [id, other.id])
  })
}
