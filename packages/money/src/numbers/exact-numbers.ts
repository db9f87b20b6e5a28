/** An exact fraction. The denominator is positive; it need not be in lowest terms. */
export type Ratio = { readonly num: bigint; readonly den: bigint }

export const ZERO: Ratio = { num: 0n, den: 1n }

export function toRatio(num: bigint | number, den: bigint | number = 1n): Ratio {
  const [n, d] = [BigInt(num), BigInt(den)]
  if (d === 0n) throw new RangeError('a fraction over zero')
  return d < 0n ? { num: -n, den: -d } : { num: n, den: d }
}

function computeGcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

export function reduceRatio({ num, den }: Ratio): Ratio {
  const common = computeGcd(num, den)
  return common > 1n ? { num: num / common, den: den / common } : { num, den }
}

export function addRatios(a: Ratio, b: Ratio): Ratio {
  if (a.den === b.den) return { num: a.num + b.num, den: a.den }
  return reduceRatio({ num: a.num * b.den + b.num * a.den, den: a.den * b.den })
}

export const multiplyRatios = (a: Ratio, b: Ratio): Ratio => ({ num: a.num * b.num, den: a.den * b.den })

/** Negative, zero or positive, as for a sort. */
export function compareRatios(a: Ratio, b: Ratio): number {
  const difference = a.num * b.den - b.num * a.den
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function floorRatio({ num, den }: Ratio): bigint {
  const quotient = num / den
  return num % den < 0n ? quotient - 1n : quotient
}

/** '118.37', '-7' or '100/3'. */
export function parseRatio(text: string): Ratio {
  const fraction = /^(-?\d+)\/(\d+)$/.exec(text)
  if (fraction) return toRatio(BigInt(fraction[1] ?? 0), BigInt(fraction[2] ?? 1))
  const decimal = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!decimal) throw new RangeError(`not a number: ${text}`)
  const [, sign, whole = '', decimals = ''] = decimal
  const num = BigInt(whole + decimals)
  return { num: sign ? -num : num, den: 10n ** BigInt(decimals.length) }
}

/** '100/3', or '7' where it is whole: exact, and fit for JSON. */
export function formatRatio(value: Ratio): string {
  const { num, den } = reduceRatio(value)
  return den === 1n ? `${num}` : `${num}/${den}`
}

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

/** Compares code units, not by locale: PRM, names and days sort the same on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
