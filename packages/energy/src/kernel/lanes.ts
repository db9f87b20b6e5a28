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
