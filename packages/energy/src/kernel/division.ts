/**
 * What limits a share: with 'need' the weights are the needs, so no share exceeds them; with 'cap' what exceeds the
 * need is cut and lost; with 'fill' a full consumer leaves the division.
 */
type Bound = 'need' | 'cap' | 'fill'

/**
 * One division of energy for each step of a tile: a point of weight w gets w·numerator/denominator within its bound, and all
 * shares before any cut sum to `quota`, to the unit.
 */
export type Division = {
  length: number
  /** The steps where there is something to share: by night the arrays keep their initial zeros. */
  lit: Int32Array
  bound: Bound
  numerator: Float64Array
  denominator: Float64Array
  quota: Float64Array
  /** What was allocated at each step. */
  handed: Int32Array
}

/** Buffers for divisions of up to `size` steps. */
export function createDivision(size: number): Division {
  const doubles = () => new Float64Array(size)
  const integers = () => new Int32Array(size)
  const division = { numerator: doubles(), denominator: doubles(), quota: doubles(), handed: integers() }
  return { length: 0, lit: new Int32Array(0), bound: 'need', ...division }
}

/** Steps handled at once: the sums of a tile stay in the cache of the processor while every point is added. */
export const TILE_STEPS = 512
/** The maximum where steps are divided by bands: long parts of a curve are read from memory faster than short ones. */
export const MAX_TILE_STEPS = 8192

/**
 * One point in a tile: its need and its weight, each with an offset. With a mask of 0 every step reads the first value,
 * so that a weight may be constant.
 */
export type MemberLane = {
  need: Int32Array
  needAt: number
  weight: Int32Array
  weightAt: number
  mask: 0 | -1
}
/** The object is reused for the next member. */
export type LaneReader = (member: number) => MemberLane

/** Where the share of each member is written, with a common offset. */
export type ShareOutput = { outs: Int32Array[]; outAt: number }

export const NO_MEMBER = -1

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
