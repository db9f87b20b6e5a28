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
