/** Steps handled at once: the accumulators of a tile stay in the processor's cache while every point passes by. */
export const TILE_STEPS = 512
/** As many at most where they are divided by bands: memory delivers long stretches of a curve sooner than short ones. */
export const MAX_TILE_STEPS = 8192

/**
 * One point in a tile: what it needs and its weight, each from an offset on. Masked, a step is itself or always the first: a
 * weight may be the same at every step.
 */
export type MemberLane = {
  need: Int32Array
  needAt: number
  weight: Int32Array
  weightAt: number
  mask: 0 | -1
}
/** It is written anew for the next member. */
export type LaneReader = (member: number) => MemberLane

/** Where the share of each member is written, from a common offset on. */
export type ShareOutput = { outs: Int32Array[]; outAt: number }

export const NO_MEMBER = -1
