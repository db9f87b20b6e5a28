import { createQuad, type Quad } from './lanes.ts'

/** More bins leave fewer members to be ordered, but the counts of a tile have to stay in the processor's cache. */
export const MOST_BINS = 113

/**
 * What bounds a share: with 'need' the weights are the needs and never exceed them; with 'cap' a share above the need is cut
 * and lost; with 'fill' who is full leaves the division.
 */
type Bound = 'need' | 'cap' | 'fill'

/**
 * One division of energy for each step of a tile: a point of weight w gets w·numerator/denominator within its bound, and all
 * shares before any cut sum to `quota`, to the unit.
 */
export type Division = {
  length: number
  /** The steps where there is something to share: by night the arrays keep the zeros they were born with. */
  lit: Int32Array
  bound: Bound
  numerator: Float64Array
  denominator: Float64Array
  quota: Float64Array
  /** What was handed out at each step. */
  handed: Int32Array
  work: Work
}

type Work = {
  quad: Quad
  bins: number
  ratio: Float64Array
  /** Sums of floors, modulo 2^32. */
  floors: Int32Array
  /** Members of each bin, by step. */
  counts: Int32Array
  /** The bin where the units run out, and what makes the next unit of every remainder above it. */
  threshold: Int32Array
  bump: Float64Array
  wanted: Int32Array
  /** The members to be ordered, by step. */
  first: Int32Array
  filled: Int32Array
  remainders: Float64Array
  members: Int32Array
  /** Steps of the lanes at work that have somebody to be listed. */
  hits: Int32Array
}

/** Room for divisions of up to `size` steps. */
export function createDivision(size: number): Division {
  const doubles = () => new Float64Array(size)
  const integers = () => new Int32Array(size)
  const work: Work = {
    quad: createQuad(),
    bins: 1,
    ratio: doubles(),
    floors: integers(),
    counts: new Int32Array(size * MOST_BINS),
    threshold: integers(),
    bump: doubles(),
    wanted: integers(),
    first: integers(),
    filled: integers(),
    remainders: new Float64Array(0),
    members: new Int32Array(0),
    hits: integers(),
  }
  const division = { numerator: doubles(), denominator: doubles(), quota: doubles(), handed: integers() }
  return { length: 0, lit: new Int32Array(0), bound: 'need', ...division, work }
}
