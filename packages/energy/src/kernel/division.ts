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
