import { WHOLE_SHARE } from './keys.ts'

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
