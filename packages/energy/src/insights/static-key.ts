/** Watts (or watt-hours) of one member at each step; `value` of a unit to the community, 1 by default. */
export type StaticKeyMember = {
  id: string
  consumption: ArrayLike<number>
  value?: number
  least?: number
  most?: number
}
export type StaticKeyResult = { shares: Record<string, number>; used: number }

type MarginalCurve = { ratios: Float64Array; gains: Float64Array; least: number; most: number }

/**
 * What a member gains from one more unit of coefficient: value × Σ P over the steps it does not yet fill. It only falls, at each
 * c/P in turn: sorted once, the marginal value is a suffix sum.
 */
function buildMarginalCurve(member: StaticKeyMember, production: ArrayLike<number>): MarginalCurve {
  const steps = Array.from({ length: production.length }, (_, at) => at).filter((at) => (production[at] ?? 0) > 0)
  const ratioAt = (at: number) => Math.max(0, member.consumption[at] ?? 0) / (production[at] ?? 1)
  steps.sort((a, b) => ratioAt(a) - ratioAt(b))
  const ratios = Float64Array.from(steps, ratioAt)
  const gains = new Float64Array(steps.length + 1)
  for (let i = steps.length - 1; i >= 0; i--)
    gains[i] = (gains[i + 1] ?? 0) + (member.value ?? 1) * (production[steps[i] ?? 0] ?? 0)
  return { ratios, gains, least: member.least ?? 0, most: member.most ?? 1 }
}

/** The smallest and the greatest coefficient at which one more unit gains `price`. */
function computeDemand({ ratios, gains, least, most }: MarginalCurve, price: number): [number, number] {
  const upTo = (isWorth: (gain: number) => boolean): number => {
    let [low, high] = [0, ratios.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isWorth(gains[middle] ?? 0)) low = middle + 1
      else high = middle
    }
    return Math.max(least, Math.min(most, low === 0 ? 0 : (ratios[low - 1] ?? 0)))
  }
  return [upTo((gain) => gain > price), upTo((gain) => gain >= price)]
}

/** Where members cannot use the whole at any price, it is not used up; else the marginal steps share what is left. */
function findPrice(curves: MarginalCurve[]): number {
  const prices = [...new Set(curves.flatMap(({ gains }) => Array.from(gains)))].sort((a, b) => a - b)
  const sumDemand = (price: number) => curves.reduce((sum, curve) => sum + computeDemand(curve, price)[0], 0)
  let [low, high] = [0, prices.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sumDemand(prices[middle] ?? 0) <= 1) high = middle
    else low = middle + 1
  }
  return prices[low] ?? 0
}

/**
 * The static key with the highest use: maximises Σ v·min(c, k·P) with Σk ≤ 1 and each k within its bounds. Separable
 * and concave, so that one price, bisected over the finite set of marginal values, gives the exact optimum. Null where
 * no key satisfies the bounds.
 */
export function computeBestStaticKey(
  members: StaticKeyMember[],
  production: ArrayLike<number>,
): StaticKeyResult | null {
  const curves = members.map((member) => buildMarginalCurve(member, production))
  if (curves.reduce((sum, { least }) => sum + least, 0) > 1 + 1e-12 || curves.some(({ least, most }) => least > most))
    return null
  const price = findPrice(curves)
  let left = 1 - curves.reduce((sum, curve) => sum + computeDemand(curve, price)[0], 0)
  const shares = members.map((member, i): [string, number] => {
    const [sure, possible] = computeDemand(curves[i] as MarginalCurve, price) // one curve for each member
    const more = Math.max(0, Math.min(left, possible - sure))
    left -= more
    return [member.id, sure + more]
  })
  return {
    shares: Object.fromEntries(shares),
    used: computeUsedEnergy(members, production, Object.fromEntries(shares)),
  }
}

/** Σ v·min(c, k·P). */
export function computeUsedEnergy(
  members: StaticKeyMember[],
  production: ArrayLike<number>,
  shares: Record<string, number>,
): number {
  let used = 0
  for (const { id, consumption, value = 1 } of members)
    for (let at = 0; at < production.length; at++)
      used += value * Math.min(Math.max(0, consumption[at] ?? 0), (shares[id] ?? 0) * Math.max(0, production[at] ?? 0))
  return used
}
