import { apportion, toRatio } from '../numbers/exact-numbers.ts'

/**
 * Whole units of a charge over weights, by largest remainder: they sum to it exactly, and a credit is divided as a
 * charge of the same size. Equal remainders go to the larger weight, then to the first.
 */
export function apportionByWeight(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole <= 0n || weights.some((weight) => weight < 0)) throw new RangeError('weights above zero are expected')
  const size = Math.abs(total)
  const units = apportion(
    weights.map((weight) => toRatio(BigInt(size) * BigInt(weight), whole)),
    size,
  )
  return total < 0 ? units.map((unit) => 0 - unit) : units
}
