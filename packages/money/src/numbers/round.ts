import type { Ratio } from './ratio.ts'

/** R of the rules: the nearest integer, half away from zero. Once per figure, never on a figure already rounded. */
export function roundRatio({ num, den }: Ratio): bigint {
  const half = (2n * (num < 0n ? -num : num) + den) / (2n * den)
  return num < 0n ? -half : half
}

/** A figure that leaves the package: an integer that a JSON number holds exactly. */
export function toSafeInteger(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`beyond what a number holds exactly: ${value}`)
  return number
}

/** R(Π factors / divisor): how every amount is made. */
export function roundProduct(factors: readonly number[], divisor: number): number {
  let product = 1n
  for (const factor of factors) product *= BigInt(factor)
  return toSafeInteger(roundRatio({ num: product, den: BigInt(divisor) }))
}
