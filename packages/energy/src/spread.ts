import { leftOver } from './exact.ts'

/** Steps handled at once: the accumulators of a tile stay in the processor's cache while every point passes by. */
export const TILE = 512
/** Not a power of two: simple fractions then do not fall on the edge of a bin. */
const MOST_BINS = 113
/** A remainder taken from a double is this close to the exact one, as a part of a unit: figures have 31 bits, doubles 53. */
const DOUBT = 2 ** -19
const FULL = 128
const NOBODY = -1

/** One point in a tile: what it needs and its weight, each from an offset on; a weight of pace 0 is the same at every step. */
export type Lane = { need: Int32Array; needAt: number; weight: Int32Array; weightAt: number; pace: 0 | 1 }
export type LaneOf = (member: number) => Lane

/** Where the share of each member is written, from a common offset on. */
export type Shares = { outs: Int32Array[]; outAt: number }

/**
 * What bounds a share: with 'need' the weights are the needs and never exceed them; with 'cap' a share above the need is cut
 * and lost; with 'fill' who is full leaves the division.
 */
export type Bound = 'need' | 'cap' | 'fill'

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
  handed: Float64Array
  work: Work
}

type Work = {
  bins: number
  stride: number
  ratio: Float64Array
  floors: Float64Array
  /** Members of each bin, by step; bin 0 holds those who left the division. */
  counts: Int32Array
  /** The bin of each member, by member and step; FULL is added where a unit would be lost. */
  binOf: Uint8Array
  threshold: Int32Array
  wanted: Int32Array
  first: Int32Array
  filled: Int32Array
  remainders: Float64Array
  members: Int32Array
}

/** Room for divisions of up to `size` steps. */
export function createDivision(size: number): Division {
  const doubles = () => new Float64Array(size)
  const integers = () => new Int32Array(size)
  const work: Work = {
    bins: 1,
    stride: 3,
    ratio: doubles(),
    floors: doubles(),
    counts: new Int32Array(size * (MOST_BINS + 2)),
    binOf: new Uint8Array(0),
    threshold: integers(),
    wanted: integers(),
    first: integers(),
    filled: integers(),
    remainders: new Float64Array(0),
    members: new Int32Array(0),
  }
  const division = { numerator: doubles(), denominator: doubles(), quota: doubles(), handed: doubles() }
  return { length: 0, lit: new Int32Array(0), bound: 'need', ...division, work }
}

/**
 * Largest remainder for a whole tile: floors and a histogram of the remainders point by point, the bin in which the last unit
 * falls step by step, then the units point by point. Only the members of that one bin have to be ordered, by their exact
 * remainders. A floor that the double got one too low has a remainder of a whole unit, and so is the first to be served.
 */
export function spread(division: Division, members: readonly number[], laneOf: LaneOf, shares: Shares): void {
  prepare(division, members.length)
  for (let order = 0; order < members.length; order++) {
    const member = members[order] ?? 0
    const out = shares.outs[member]
    if (out) takeFloors(division, laneOf(member), order, out, shares.outAt)
  }
  findThresholds(division)
  for (let order = 0; order < members.length; order++) {
    const member = members[order] ?? 0
    const out = shares.outs[member]
    if (out) place(division, laneOf(member), order, member, shares)
  }
  settle(division, members, laneOf, shares)
}

function prepare({ length, numerator, denominator, quota, handed, bound, work }: Division, members: number): void {
  work.bins = Math.max(1, Math.min(MOST_BINS, (members >> 2) | 1))
  work.stride = work.bins + 2
  for (let at = 0; at < length; at++) work.ratio[at] = (numerator[at] ?? 0) / (denominator[at] ?? 1)
  work.floors.fill(0, 0, length)
  work.counts.fill(0, 0, length * work.stride)
  if (bound === 'cap') handed.fill(0, 0, length)
  else handed.set(quota.subarray(0, length))
  if (work.binOf.length < members * length) work.binOf = new Uint8Array(members * length)
}

function takeFloors(division: Division, lane: Lane, order: number, out: Int32Array, outAt: number): void {
  if (division.bound === 'need') takeParts(division, lane, order, out, outAt)
  else takeBounded(division, lane, order, out, outAt)
}

function takeParts({ length, lit, work }: Division, lane: Lane, order: number, out: Int32Array, outAt: number): void {
  const { ratio, floors, counts, binOf, bins, stride } = work
  const { weight, weightAt, pace } = lane
  const row = order * length
  for (let k = 0; k < lit.length; k++) {
    const at = lit[k] ?? 0
    const x = (weight[weightAt + at * pace] ?? 0) * (ratio[at] ?? 0)
    const q = x | 0
    const bin = (((x - q) * bins) | 0) + 1
    const slot = at * stride + bin
    floors[at] = (floors[at] ?? 0) + q
    counts[slot] = (counts[slot] ?? 0) + 1
    binOf[row + at] = bin
    out[outAt + at] = q
  }
}

function takeBounded(division: Division, lane: Lane, order: number, out: Int32Array, outAt: number): void {
  const { length, lit, work } = division
  const { ratio, floors, counts, binOf, bins, stride } = work
  const { need, needAt, weight, weightAt, pace } = lane
  const row = order * length
  const fill = division.bound === 'fill'
  for (let k = 0; k < lit.length; k++) {
    const at = lit[k] ?? 0
    const c = need[needAt + at] ?? 0
    const x = (weight[weightAt + at * pace] ?? 0) * (ratio[at] ?? 0)
    const gone = fill && x >= c
    const q = gone ? c : x | 0
    const bin = gone ? 0 : (((x - q) * bins) | 0) + 1
    const slot = at * stride + bin
    // Without a branch: one is full as often as not, and nobody can guess which.
    const full = (c - q - 1) >>> 31
    floors[at] = (floors[at] ?? 0) + q
    counts[slot] = (counts[slot] ?? 0) + 1
    binOf[row + at] = bin + (full << 7)
    out[outAt + at] = q - full * (q - c)
  }
}

/** The bin where the units run out, how many of it still get one, and room for its members. */
function findThresholds({ length, quota, work }: Division): void {
  const { floors, counts, threshold, wanted, first, filled, stride } = work
  let room = 0
  for (let at = 0; at < length; at++) {
    let left = (quota[at] ?? 0) - (floors[at] ?? 0)
    let bin = stride
    let inBin = 0
    while (left > 0 && bin > 1) {
      bin--
      inBin = counts[at * stride + bin] ?? 0
      left -= inBin
    }
    threshold[at] = bin
    wanted[at] = inBin + left
    first[at] = room
    filled[at] = 0
    room += inBin
  }
  if (work.members.length < room) {
    work.members = new Int32Array(room)
    work.remainders = new Float64Array(room)
  }
}

/** A unit for each bin above the threshold; the members of the threshold's own are listed with their remainders, in order. */
function place(division: Division, lane: Lane, order: number, member: number, { outs, outAt }: Shares): void {
  const { length, lit, bound, handed, numerator, denominator, work } = division
  const { binOf, threshold, first, filled, members, remainders, ratio } = work
  const { weight, weightAt, pace } = lane
  const row = order * length
  const cap = bound === 'cap'
  const out = outs[member]
  if (!out) return
  for (let k = 0; k < lit.length; k++) {
    const at = lit[k] ?? 0
    const code = binOf[row + at] ?? 0
    const bin = code & 127
    const limit = threshold[at] ?? 0
    const unit = ((limit - bin) >>> 31) & ~(code >> 7)
    const part = (out[outAt + at] ?? 0) + unit
    out[outAt + at] = part
    if (cap) handed[at] = (handed[at] ?? 0) + part
    if (bin !== limit) continue
    const w = weight[weightAt + at * pace] ?? 0
    const slot = (first[at] ?? 0) + (filled[at] ?? 0)
    members[slot] = code < FULL ? member : NOBODY
    remainders[slot] = leftOver(w, numerator[at] ?? 0, (w * (ratio[at] ?? 0)) | 0, denominator[at] ?? 1)
    filled[at] = (filled[at] ?? 0) + 1
  }
}

/** Serves the largest remainders of the threshold's bin, the first of equals before the others. */
function settle(division: Division, all: readonly number[], laneOf: LaneOf, { outs, outAt }: Shares): void {
  const { length, bound, handed, work } = division
  const { wanted, first, filled, remainders, members } = work
  for (let at = 0; at < length; at++) {
    const start = first[at] ?? 0
    const end = start + (filled[at] ?? 0)
    if (start === end) continue
    let units = wanted[at] ?? 0
    const edge = edgeOf(remainders.subarray(start, end), units)
    if (isDoubtful(division, at, edge)) {
      orderAll(division, at, all, laneOf, { outs, outAt })
      continue
    }
    for (let slot = start; slot < end; slot++) if ((remainders[slot] ?? 0) > edge.served) units--
    for (let slot = start; slot < end; slot++) {
      const r = remainders[slot] ?? 0
      if (r < edge.served || (r === edge.served && units-- <= 0)) continue
      const out = outs[members[slot] ?? NOBODY]
      if (!out) continue
      out[outAt + at] = (out[outAt + at] ?? 0) + 1
      if (bound === 'cap') handed[at] = (handed[at] ?? 0) + 1
    }
  }
}

/** The smallest remainder that gets a unit and the largest that gets none. */
type Edge = { served: number; unserved: number }

function edgeOf(remainders: Float64Array, units: number): Edge {
  const one = remainders[0] ?? 0
  const last = remainders.length - units
  if (remainders.every((value) => value === one)) return { served: one, unserved: last > 0 ? one : 0 }
  const sorted = remainders.slice().sort()
  return { served: sorted[last] ?? one, unserved: sorted[last - 1] ?? 0 }
}

/** Near the edge of a bin the double may have put a remainder on the wrong side of it. */
function isDoubtful({ denominator, work }: Division, at: number, { served, unserved }: Edge): boolean {
  const whole = denominator[at] ?? 1
  const bin = work.threshold[at] ?? 0
  const low = (bin - 1) / work.bins + DOUBT
  const high = bin / work.bins - DOUBT
  return (bin > 1 && served < low * whole) || (bin <= work.bins && unserved > high * whole && work.bins > 1)
}

/** One step with every remainder exact and in order: rare, and so plain. */
function orderAll(
  division: Division,
  at: number,
  all: readonly number[],
  laneOf: LaneOf,
  { outs, outAt }: Shares,
): void {
  const { numerator, denominator, quota, bound, handed, work } = division
  let left = quota[at] ?? 0
  const parts = all.map((member) => {
    const { need, needAt, weight, weightAt, pace } = laneOf(member)
    const w = weight[weightAt + at * pace] ?? 0
    const c = need[needAt + at] ?? 0
    const x = w * (work.ratio[at] ?? 0)
    const gone = bound === 'fill' && x >= c
    const q = gone ? c : x | 0
    left -= q
    const r = gone ? Number.NEGATIVE_INFINITY : leftOver(w, numerator[at] ?? 0, q, denominator[at] ?? 1)
    return { member, q, c, r }
  })
  parts.sort((a, b) => b.r - a.r || 0)
  let sum = 0
  for (const { member, q, c } of parts) {
    const a = Math.min(c, left-- > 0 ? q + 1 : q)
    const out = outs[member]
    if (out) out[outAt + at] = a
    sum += a
  }
  handed[at] = sum
}
