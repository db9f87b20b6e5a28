import type { Ratio } from './ratio.ts'

/**
 * Rounding of the billing rules (R): the nearest integer, half away from zero. Once per amount, never on a rounded one.
 */
export function roundRatio({ num, den }: Ratio): bigint {
  const half = (2n * (num < 0n ? -num : num) + den) / (2n * den)
  return num < 0n ? -half : half
}

/** Converts a result of the package to an integer that a JSON number holds exactly. */
export function toSafeInteger(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`beyond what a number holds exactly: ${value}`)
  return number
}

/** R(Π factors / divisor): every amount is computed this way. */
export function roundProduct(factors: readonly number[], divisor: number): number {
  let product = 1n
  for (const factor of factors) product *= BigInt(factor)
  return toSafeInteger(roundRatio({ num: product, den: BigInt(divisor) }))
}
