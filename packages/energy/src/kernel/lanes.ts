/** Steps handled at once: the accumulators of a tile stay in the processor's cache while every point passes by. */
export const TILE_STEPS = 512

/**
 * Points handled side by side: their figures come from memory at the same time, and each accumulator is read and written once
 * for all of them. The loops are written for this number.
 */
export const LANES = 4

/**
 * One point in a tile: what it needs, its weight and what it gets, each from an offset on. Masked, a step is
 * itself or always the first: a weight may be the same at every step.
 */
export type Lane = {
  member: number
  need: Int32Array
  needAt: number
  weight: Int32Array
  weightAt: number
  mask: 0 | -1
  out: Int32Array
  outAt: number
}
/** A member's lane in one of the places side by side: it is written anew for the next member who takes that place. */
export type LaneOf = (member: number, place: number) => Lane
export type Quad = { a: Lane; b: Lane; c: Lane; d: Lane }

/** Where the share of each member is written, from a common offset on. */
export type Shares = { outs: Int32Array[]; outAt: number }

export const NOBODY = -1
const nothing = new Int32Array(TILE_STEPS)

/** Needs nothing, weighs nothing, gets nothing: takes the places left over when members run out. */
export const createLane = (size = TILE_STEPS): Lane => ({
  member: NOBODY,
  need: nothing,
  needAt: 0,
  weight: nothing,
  weightAt: 0,
  mask: 0,
  out: new Int32Array(size),
  outAt: 0,
})

const nobody = createLane()

export const createQuad = (): Quad => ({ a: nobody, b: nobody, c: nobody, d: nobody })

/** The next few members side by side. */
export function takeLanes(
  quad: Quad,
  members: readonly number[],
  first: number,
  laneOf: LaneOf,
  shares?: Shares,
): void {
  quad.a = laneAt(members[first], 0, laneOf, shares)
  quad.b = laneAt(members[first + 1], 1, laneOf, shares)
  quad.c = laneAt(members[first + 2], 2, laneOf, shares)
  quad.d = laneAt(members[first + 3], 3, laneOf, shares)
}

function laneAt(member: number | undefined, place: number, laneOf: LaneOf, shares?: Shares): Lane {
  if (member === undefined) return nobody
  const lane = laneOf(member, place)
  lane.member = member
  lane.out = shares?.outs[member] ?? nobody.out
  lane.outAt = shares?.outAt ?? 0
  return lane
}
