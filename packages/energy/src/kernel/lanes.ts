/** Steps handled at once: the accumulators of a tile stay in the processor's cache while every point passes by. */
export const TILE_STEPS = 512
/** As many at most where they are divided by bands: memory delivers long stretches of a curve sooner than short ones. */
export const LONGEST_TILE = 8192

/**
 * One point in a tile: what it needs and its weight, each from an offset on. Masked, a step is itself or always the first: a
 * weight may be the same at every step.
 */
export type Lane = {
  need: Int32Array
  needAt: number
  weight: Int32Array
  weightAt: number
  mask: 0 | -1
}
/** It is written anew for the next member. */
export type LaneOf = (member: number) => Lane

/** Where the share of each member is written, from a common offset on. */
export type Shares = { outs: Int32Array[]; outAt: number }

export const NOBODY = -1
