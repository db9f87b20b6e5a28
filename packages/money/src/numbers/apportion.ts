import { addRatios, compareRatios, floorRatio, type Ratio, ZERO } from './ratio.ts'
import { roundRatio, toSafeInteger } from './round.ts'

/**
 * Whole units for exact shares, by largest remainder: all are floored, then what is missing goes to the largest
 * fractions. Equal fractions go to the larger share, then to the first: the order of the caller is part of the result.
 */
export function apportion(shares: readonly Ratio[], total: number): number[] {
  const rows = shares.map((share, at) => {
    const whole = floorRatio(share)
    return { at, share, whole, rest: { num: share.num - whole * share.den, den: share.den } }
  })
  const units = rows.map(({ whole }) => toSafeInteger(whole))
  const missing = total - units.reduce((sum, unit) => sum + unit, 0)
  if (missing < 0 || missing > rows.length) throw new RangeError(`${missing} units over ${rows.length} shares`)
  const first = rows.sort((a, b) => compareRatios(b.rest, a.rest) || compareRatios(b.share, a.share) || a.at - b.at)
  for (const { at } of first.slice(0, missing)) units[at] = (units[at] ?? 0) + 1
  return units
}

export const sumRatios = (shares: readonly Ratio[]): Ratio => shares.reduce(addRatios, ZERO)

/** The exact sum is rounded once to the total, and the units sum to it. */
export function apportionRoundedSum(shares: readonly Ratio[]): { total: number; units: number[] } {
  const total = toSafeInteger(roundRatio(sumRatios(shares)))
  return { total, units: apportion(shares, total) }
}
