const SPLIT = 2 ** 22

/**
 * w·n − q·d without a rounding error, for w and q below 2^31 and a result that is a safe integer.
 * The products may need 70 bits: each is cut in two parts that a double holds exactly.
 */
export function computeExactRemainder(w: number, n: number, q: number, d: number): number {
  const high = Math.floor(n / SPLIT)
  const highD = Math.floor(d / SPLIT)
  return (w * high - q * highD) * SPLIT + (w * (n - high * SPLIT) - q * (d - highD * SPLIT))
}

/** floor(w·n / d) for w and the result below 2^31: the double is off by one at most, and the exact remainder tells. */
export function computeExactQuotient(w: number, n: number, d: number): number {
  const q = Math.floor((w * n) / d)
  const rest = computeExactRemainder(w, n, q, d)
  return rest < 0 ? q - 1 : rest >= d ? q + 1 : q
}
