const SPLIT = 2 ** 22

/**
 * w·n − q·d without a rounding error, for w and q below 2^31 and a result that is a safe integer.
 * The products may need 70 bits: each is cut in two parts that a double holds exactly.
 */
export function leftOver(w: number, n: number, q: number, d: number): number {
  const high = Math.floor(n / SPLIT)
  const highD = Math.floor(d / SPLIT)
  return (w * high - q * highD) * SPLIT + (w * (n - high * SPLIT) - q * (d - highD * SPLIT))
}

/** floor(w·n / d) for w and the result below 2^31: the double is at most one off, and its remainder tells. */
export function quotient(w: number, n: number, d: number): number {
  const q = Math.floor((w * n) / d)
  const rest = leftOver(w, n, q, d)
  return rest < 0 ? q - 1 : rest >= d ? q + 1 : q
}

/**
 * Splits `total` in proportion to weights that sum to `whole` ≥ total, by largest remainder; the lower index wins a tie.
 * No part exceeds its weight.
 */
export function splitByWeight(total: number, weights: Float64Array, whole: number, parts: Float64Array): void {
  const count = weights.length
  let rest = total
  for (let at = 0; at < count; at++) {
    const part = whole === 0 ? 0 : quotient(weights[at] ?? 0, total, whole)
    parts[at] = part
    rest -= part
  }
  // A remainder is below one unit each: fewer units are left than there are weights.
  for (; rest > 0; rest--) {
    let best = 0
    let largest = -1
    for (let at = 0; at < count; at++) {
      const part = parts[at] ?? 0
      const remainder = leftOver(weights[at] ?? 0, total, part, whole)
      if (remainder > largest) {
        largest = remainder
        best = at
      }
    }
    parts[best] = (parts[best] ?? 0) + 1
  }
}
