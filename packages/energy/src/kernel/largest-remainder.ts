import { type Division, MOST_BINS } from './division.ts'
import { leftOver, quotient } from './exact.ts'
import { LANES, type Lane, type LaneOf, NOBODY, type Quad, type Shares, takeLanes } from './lanes.ts'

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

/** Well above what a double can be off, as a part of a unit: figures have 31 bits, doubles 53. */
const MARGIN = 2 ** -18
/** No need is larger: a share above it is cut in any case. */
const MOST = 0x7fffffff
/** The bin of a step that has no unit left to hand out. */
const NO_BIN = -1

/**
 * Largest remainder for a whole tile: sums of the floors and a histogram of the remainders point by point, the bin in which the
 * last unit falls step by step, then floors and units point by point. Only the members of that one bin, and who is too near its
 * edges for a double to tell, have to be ordered, by their exact remainders. A floor that the double got one too low has a
 * remainder of a whole unit, and so is the first to be served.
 */
export function shareByLargestRemainder(
  division: Division,
  members: readonly number[],
  laneOf: LaneOf,
  shares: Shares,
): void {
  const { quad } = division.work
  prepare(division, members.length)
  // Whole multiples leave no remainder.
  const open = division.lit.filter((at) => division.denominator[at] !== 1)
  for (let first = 0; open.length > 0 && first < members.length; first += LANES) {
    takeLanes(quad, members, first, laneOf)
    takeFloors(division, quad, open)
  }
  findThresholds(division, open)
  for (let first = 0; first < members.length; first += LANES) {
    takeLanes(quad, members, first, laneOf, shares)
    place(division, quad)
  }
  for (const at of open) settle(division, at, shares)
}

function prepare({ length, numerator, denominator, handed, work }: Division, members: number): void {
  work.bins = Math.max(1, Math.min(MOST_BINS, members >> 2))
  for (let at = 0; at < length; at++) work.ratio[at] = (numerator[at] ?? 0) / (denominator[at] ?? 1)
  work.floors.fill(0, 0, length)
  work.counts.fill(0, 0, length * work.bins)
  work.bump.fill(0, 0, length)
  work.threshold.fill(NO_BIN, 0, length)
  handed.fill(0, 0, length)
}

const weightOf = (lane: Lane, at: number) => lane.weight[lane.weightAt + (at & lane.mask)] ?? 0
const needOf = (lane: Lane, at: number) => lane.need[lane.needAt + at] ?? 0

/** Sums of floors and counts of remainders; who is full has none. */
function takeFloors({ bound, work }: Division, { a, b, c, d }: Quad, open: Int32Array): void {
  const { ratio, floors, counts, bins } = work
  const { weight: wa, weightAt: ia, mask: sa, need: na, needAt: ja } = a
  const { weight: wb, weightAt: ib, mask: sb, need: nb, needAt: jb } = b
  const { weight: wc, weightAt: ic, mask: sc, need: nc, needAt: jc } = c
  const { weight: wd, weightAt: id, mask: sd, need: nd, needAt: jd } = d
  const fill = bound === 'fill'
  for (let k = 0; k < open.length; k++) {
    const at = open[k] ?? 0
    const each = ratio[at] ?? 0
    const row = at * bins
    let xa = (wa[ia + (at & sa)] ?? 0) * each
    let xb = (wb[ib + (at & sb)] ?? 0) * each
    let xc = (wc[ic + (at & sc)] ?? 0) * each
    let xd = (wd[id + (at & sd)] ?? 0) * each
    if (fill) {
      xa = Math.min(xa, na[ja + at] ?? 0)
      xb = Math.min(xb, nb[jb + at] ?? 0)
      xc = Math.min(xc, nc[jc + at] ?? 0)
      xd = Math.min(xd, nd[jd + at] ?? 0)
    }
    const qa = xa | 0
    const qb = xb | 0
    const qc = xc | 0
    const qd = xd | 0
    floors[at] = ((floors[at] ?? 0) + qa + qb + qc + qd) | 0
    const za = row + (((xa - qa) * bins) | 0)
    const zb = row + (((xb - qb) * bins) | 0)
    const zc = row + (((xc - qc) * bins) | 0)
    const zd = row + (((xd - qd) * bins) | 0)
    counts[za] = (counts[za] ?? 0) + 1
    counts[zb] = (counts[zb] ?? 0) + 1
    counts[zc] = (counts[zc] ?? 0) + 1
    counts[zd] = (counts[zd] ?? 0) + 1
  }
}

/** The bin where the units run out, how many of it still get one, and room for its members and those of its neighbours. */
function findThresholds({ quota, work }: Division, open: Int32Array): void {
  const { floors, counts, threshold, bump, wanted, first, filled, bins } = work
  let room = 0
  for (const at of open) {
    const row = at * bins
    // What is left is less than the number of members, however often the sum of the floors went round.
    let left = ((quota[at] ?? 0) - (floors[at] ?? 0)) | 0
    filled[at] = 0
    if (left <= 0) continue
    let bin = bins - 1
    while (bin > 0 && left > (counts[row + bin] ?? 0)) left -= counts[row + bin--] ?? 0
    threshold[at] = bin
    wanted[at] = left
    // Nobody is above the last bin, and nobody may be moved below a floor.
    bump[at] = bin === bins - 1 ? 0 : 1 - (bin + 1) / bins - MARGIN
    first[at] = room
    for (let near = Math.max(0, bin - 1); near <= bin + 1 && near < bins; near++) room += counts[row + near] ?? 0
  }
  if (work.members.length < room) {
    work.members = new Int32Array(room)
    work.remainders = new Float64Array(room)
  }
}

/** A share above the need is cut, without a branch: one is full as often as not, and nobody can guess which. */
const cut = (part: number, need: number) => part - ((part - need) & ~((part - need) >> 31))

/** Raised by the bump, remainders above the threshold's bin reach the next unit, and those of the bin come just below it. */
function place(division: Division, { a, b, c, d }: Quad): void {
  const { lit, handed, work } = division
  const { ratio, bump, bins, hits } = work
  let found = 0
  const { weight: wa, weightAt: ia, mask: sa, need: na, needAt: ja, out: oa, outAt: ta } = a
  const { weight: wb, weightAt: ib, mask: sb, need: nb, needAt: jb, out: ob, outAt: tb } = b
  const { weight: wc, weightAt: ic, mask: sc, need: nc, needAt: jc, out: oc, outAt: tc } = c
  const { weight: wd, weightAt: id, mask: sd, need: nd, needAt: jd, out: od, outAt: td } = d
  const edge = edgeOf(bins)
  for (let k = 0; k < lit.length; k++) {
    const at = lit[k] ?? 0
    const each = ratio[at] ?? 0
    const more = bump[at] ?? 0
    const ya = Math.min((wa[ia + (at & sa)] ?? 0) * each + more, MOST)
    const yb = Math.min((wb[ib + (at & sb)] ?? 0) * each + more, MOST)
    const yc = Math.min((wc[ic + (at & sc)] ?? 0) * each + more, MOST)
    const yd = Math.min((wd[id + (at & sd)] ?? 0) * each + more, MOST)
    const pa = cut(ya | 0, na[ja + at] ?? 0)
    const pb = cut(yb | 0, nb[jb + at] ?? 0)
    const pc = cut(yc | 0, nc[jc + at] ?? 0)
    const pd = cut(yd | 0, nd[jd + at] ?? 0)
    oa[ta + at] = pa
    ob[tb + at] = pb
    oc[tc + at] = pc
    od[td + at] = pd
    handed[at] = ((handed[at] ?? 0) + pa + pb + pc + pd) | 0
    if (Math.max(ya - (ya | 0), yb - (yb | 0), yc - (yc | 0), yd - (yd | 0)) >= edge) hits[found++] = at
  }
  // After the loop: a call within it would cost it the processor's registers.
  for (let k = 0; k < found; k++) {
    const at = hits[k] ?? 0
    list(division, a, at)
    list(division, b, at)
    list(division, c, at)
    list(division, d, at)
  }
}

/** How near to the next unit a bump brings the lowest remainder of the threshold's bin. */
const edgeOf = (bins: number) => 1 - 1 / bins - 2 * MARGIN

/** Notes a member of the threshold's bin, or near to it, with its exact remainder. */
function list({ bound, numerator, denominator, work }: Division, lane: Lane, at: number): void {
  const { ratio, bump, bins, threshold, wanted, first, filled, members, remainders } = work
  const bin = threshold[at] ?? NO_BIN
  const w = weightOf(lane, at)
  const x = w * (ratio[at] ?? 0)
  const need = needOf(lane, at)
  if (bin === NO_BIN || lane.member === NOBODY || (bound === 'fill' && x >= need)) return
  const q = x | 0
  const raised = x + (bump[at] ?? 0) - q
  if (raised < edgeOf(bins) || raised >= 1) return
  // Counted among those above the bin, yet too near to it to be served unseen.
  if ((((x - q) * bins) | 0) > bin) wanted[at] = (wanted[at] ?? 0) + 1
  const slot = (first[at] ?? 0) + (filled[at] ?? 0)
  filled[at] = (filled[at] ?? 0) + 1
  members[slot] = q < need ? lane.member : NOBODY
  remainders[slot] = leftOver(w, numerator[at] ?? 0, q, denominator[at] ?? 1)
}

/** Serves the largest remainders of those listed, the first of equals before the others. */
function settle({ handed, work }: Division, at: number, { outs, outAt }: Shares): void {
  const start = work.first[at] ?? 0
  const end = start + (work.filled[at] ?? 0)
  const { remainders, members } = work
  let units = work.wanted[at] ?? 0
  if (start === end || units <= 0) return
  const least = leastServed(remainders.subarray(start, end), units)
  for (let slot = start; slot < end; slot++) if ((remainders[slot] ?? 0) > least) units--
  for (let slot = start; slot < end; slot++) {
    const r = remainders[slot] ?? 0
    if (r < least || (r === least && units-- <= 0)) continue
    const out = outs[members[slot] ?? NOBODY]
    if (!out) continue
    out[outAt + at] = (out[outAt + at] ?? 0) + 1
    handed[at] = (handed[at] ?? 0) + 1
  }
}

/** The smallest remainder that gets a unit. */
function leastServed(remainders: Float64Array, units: number): number {
  const one = remainders[0] ?? 0
  if (remainders.every((value) => value === one)) return one
  return remainders.slice().sort()[remainders.length - units] ?? one
}
