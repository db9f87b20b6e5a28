import { WHOLE } from '../keys/keys.ts'
import type { Division } from './division.ts'
import { LANES, type Lane, type Quad, takeLanes } from './lanes.ts'
import { type Level, ROOM } from './water-level-state.ts'

/** Needs of a step that sum to less are compared by doubles. */
const SMALL = 2 ** 30
export const HALF_PART = 0.5 / WHOLE
/** How far a level may be off as a double, with room to spare. */
export const ERROR = 1e-9
/** No need is larger. */
const MOST = 0x7fffffff

/** Sums needs and weights of those who are full at the present level. */
export function addFull(division: Division, level: Level, open: Int32Array): void {
  const { list, laneOf, fullNeed, fullWeight } = level
  const { quad, ratio } = division.work
  for (const sums of [fullNeed, fullWeight, level.largeNeed, level.largeWeight, level.near.count]) sums.fill(0)
  for (const at of open) ratio[at] = (division.numerator[at] ?? 0) / (division.denominator[at] ?? 1)
  const small = open.filter((at) => isSmall(level, at))
  const large = open.filter((at) => !isSmall(level, at))
  for (let first = 0; first < list.length; first += LANES) {
    takeLanes(quad, list, first, laneOf)
    addSmall(quad, level, ratio, small)
    if (large.length > 0) for (const lane of Object.values(quad)) addLarge(division, level, lane, large)
  }
}

export const isSmall = ({ needs, weights }: Level, at: number) => (needs[at] ?? 0) < SMALL && weights <= WHOLE

/** All ones where a need is within what the level gives, without a branch: half are, and nobody can guess which. */
export const isFull = (need: number, part: number) => (need - (Math.min(part, MOST) | 0) - 1) >> 31

/**
 * A need is a whole number and what the level gives a fraction of at most a million parts: raised by half a part, which is more
 * than the double is off below 2^30, it falls on the right side. The sums have 31 bits.
 */
function addSmall(quad: Quad, level: Level, ratio: Float64Array, small: Int32Array): void {
  const { a, b, c, d } = quad
  const { given, fullNeed, fullWeight, near } = level
  const { need: na, needAt: ja } = a
  const { need: nb, needAt: jb } = b
  const { need: nc, needAt: jc } = c
  const { need: nd, needAt: jd } = d
  const ka = (given[a.member] ?? 0) | 0
  const kb = (given[b.member] ?? 0) | 0
  const kc = (given[c.member] ?? 0) | 0
  const kd = (given[d.member] ?? 0) | 0
  const { reach, hits } = near
  let found = 0
  for (let k = 0; k < small.length; k++) {
    const at = small[k] ?? 0
    const each = ratio[at] ?? 0
    const soon = reach[at] ?? 0
    const ca = na[ja + at] ?? 0
    const cb = nb[jb + at] ?? 0
    const cc = nc[jc + at] ?? 0
    const cd = nd[jd + at] ?? 0
    const fa = isFull(ca, ka * each + HALF_PART)
    const fb = isFull(cb, kb * each + HALF_PART)
    const fc = isFull(cc, kc * each + HALF_PART)
    const fd = isFull(cd, kd * each + HALF_PART)
    fullNeed[at] = ((fullNeed[at] ?? 0) + (ca & fa) + (cb & fb) + (cc & fc) + (cd & fd)) | 0
    fullWeight[at] = ((fullWeight[at] ?? 0) + (ka & fa) + (kb & fb) + (kc & fc) + (kd & fd)) | 0
    const la = isFull(ca, ka * soon + HALF_PART) & ~fa
    const lb = isFull(cb, kb * soon + HALF_PART) & ~fb
    const lc = isFull(cc, kc * soon + HALF_PART) & ~fc
    const ld = isFull(cd, kd * soon + HALF_PART) & ~fd
    hits[found] = at
    found += (la | lb | lc | ld) >>> 31
  }
  // After the loop: a call within it would cost it the processor's registers.
  for (let k = 0; k < found; k++) {
    const at = hits[k] ?? 0
    const each = ratio[at] ?? 0
    note(a, level, each, at)
    note(b, level, each, at)
    note(c, level, each, at)
    note(d, level, each, at)
  }
}

function note(lane: Lane, { given, near }: Level, ratio: number, at: number): void {
  const { reach, count, needs, weights } = near
  const need = lane.need[lane.needAt + at] ?? 0
  const weight = given[lane.member] ?? 0
  const soon = isFull(need, weight * (reach[at] ?? 0) + HALF_PART)
  if ((soon & ~isFull(need, weight * ratio + HALF_PART)) === 0) return
  const order = count[at] ?? 0
  count[at] = order + 1
  if (order >= ROOM) return
  needs[at * ROOM + order] = need
  weights[at * ROOM + order] = weight
}

/** The same by products of 51 bits: exact for all figures. */
function addLarge({ numerator, denominator }: Division, level: Level, lane: Lane, large: Int32Array): void {
  const { given, largeNeed, largeWeight } = level
  const w = given[lane.member] ?? 0
  for (const at of large) {
    const c = lane.need[lane.needAt + at] ?? 0
    if (c * (denominator[at] ?? 1) > w * (numerator[at] ?? 0)) continue
    largeNeed[at] = (largeNeed[at] ?? 0) + c
    largeWeight[at] = (largeWeight[at] ?? 0) + w
  }
}
