import { type BandLayout, buildBandLayout, getFigureIndex, writeShares } from './band-layout.ts'
import {
  computeExactQuotient,
  computeExactRemainder,
  type Division,
  type LaneReader,
  type ShareOutput,
} from './division.ts'
import { routines } from './simd/engine.ts'
import { BAND_STEPS, REMAINDER_UNIT } from './simd/memory-layout.ts'

/** Products of two figures below this are exact in a double, and so is the floor of their quotient by a third. */
const EXACT_PRODUCT_LIMIT = 2 ** 26

/**
 * Splits `total` in proportion to weights that sum to `whole` ≥ total, by largest remainder; the lower index wins a tie.
 * No part exceeds its weight.
 */
export function splitByWeight(total: number, weights: Float64Array, whole: number, parts: Float64Array): void {
  const count = weights.length
  const small = whole < EXACT_PRODUCT_LIMIT
  let rest = total
  for (let at = 0; at < count; at++) {
    const weight = weights[at] ?? 0
    const part =
      whole === 0 ? 0 : small ? Math.floor((weight * total) / whole) : computeExactQuotient(weight, total, whole)
    parts[at] = part
    rest -= part
  }
  // Each remainder is below one unit, so fewer units are left than there are weights.
  for (; rest > 0; rest--) {
    let best = 0
    let largest = -1
    for (let at = 0; at < count; at++) {
      const part = parts[at] ?? 0
      const weight = weights[at] ?? 0
      const remainder = small ? weight * total - part * whole : computeExactRemainder(weight, total, part, whole)
      if (remainder > largest) {
        largest = remainder
        best = at
      }
    }
    parts[best] = (parts[best] ?? 0) + 1
  }
}

/**
 * Largest remainder for a whole tile, a few steps at a time: floors and remainders of all members, the threshold at
 * which the units run out, then shares. Only members too close to the threshold for a double are sorted by exact
 * remainders. A floor that the double computed one too low has a remainder of a whole unit, so it is served first.
 */
export function shareByLargestRemainder(
  division: Division,
  members: readonly number[],
  laneOf: LaneReader,
  shares: ShareOutput,
): void {
  if (members.length === 0 || division.lit.length === 0) division.handed.fill(0, 0, division.length)
  else shareBands(division, buildBandLayout(members, division, laneOf), shares)
}

/** Prepares the division of the steps of a band. */
export type BandPreparation = (band: number, from: number, to: number) => void

/** The same for curves that are laid out already. */
export function shareBands(division: Division, sheet: BandLayout, shares: ShareOutput, open?: BandPreparation): void {
  const { lit, handed, length } = division
  handed.fill(0, 0, length)
  const isLit = new Uint8Array(length + BAND_STEPS)
  for (let n = 0; n < lit.length; n++) isLit[lit[n] ?? 0] = 1
  for (const [band, from] of sheet.bands.entries()) {
    open?.(band, from, Math.min(length, from + BAND_STEPS))
    if (isFullyServed(division, from)) serveBandFully(division, from)
    else shareBand(division, sheet, band, isLit)
  }
  writeShares(sheet, division, shares)
}

/** Whether every member gets what it needs at all steps of the band. */
const isFullyServed = ({ bound, denominator, numerator, length }: Division, from: number): boolean => {
  if (bound !== 'need') return false
  for (let at = from; at < from + BAND_STEPS && at < length; at++)
    if (denominator[at] !== 1 || numerator[at] !== 1) return false
  return true
}

/** Shares are written over needs, so nothing has to be copied. */
function serveBandFully({ handed, quota, length }: Division, from: number): void {
  const last = Math.min(length, from + BAND_STEPS)
  for (let at = from; at < last; at++) handed[at] = quota[at] ?? 0
}

function shareBand(division: Division, sheet: BandLayout, band: number, isLit: Uint8Array): void {
  const { room, floor, rest, end, size } = sheet
  const { numerator, denominator, quota, handed, bound, length } = division
  const from = sheet.bands[band] ?? 0
  const left = new Int32Array(BAND_STEPS)
  const need = sheet.need + band * size
  for (let k = 0; k < BAND_STEPS; k++)
    room.ratio[k] = isLit[from + k] === 1 ? (numerator[from + k] ?? 0) / (denominator[from + k] ?? 1) : 0
  const weight = sheet.constant ? sheet.weight : sheet.weight + band * size
  const by = sheet.constant ? 'One' : 'Curve'
  routines[`${bound === 'fill' ? 'fill' : 'floors'}By${by}`](need, weight, floor, rest, end)
  // What is left is less than the number of members, even if the 32-bit sum of the floors overflowed.
  for (let k = 0; k < BAND_STEPS; k++)
    if (isLit[from + k] === 1) left[k] = ((quota[from + k] ?? 0) - (room.sums[k] ?? 0)) | 0
  findThresholds(sheet, left)
  const found = routines.near(rest, end, end)
  if (found > end) resolveTies(division, sheet, found, band, left)
  routines.place(need, floor, rest, end)
  for (let k = 0; k < BAND_STEPS && from + k < length; k++) handed[from + k] = room.sums[k] ?? 0
}

/**
 * Members whose rounding is in doubt at each step of a band, by index, with their exact remainders: space for all at
 * every step.
 */
let tieBuffers = { members: 0, orders: new Int32Array(0), remainders: new Float64Array(0) }
const counts = new Int32Array(BAND_STEPS)

function ensureTieBuffers(members: number): typeof tieBuffers {
  const size = BAND_STEPS * members
  if (tieBuffers.members < members)
    tieBuffers = { members, orders: new Int32Array(size), remainders: new Float64Array(size) }
  return tieBuffers
}

/**
 * Among members of a band whose remainder is too close to the threshold for a double, the largest exact remainders get
 * the units.
 */
function resolveTies(division: Division, sheet: BandLayout, found: number, band: number, left: Int32Array): void {
  const { ints, counts: beyond } = sheet.room
  ensureTieBuffers(sheet.members.length)
  counts.fill(0)
  // Pairs: a member, and a bit for each step at which its rounding is in doubt.
  for (let at = sheet.end / 4; at < found / 4; at += 2) {
    const order = ints[at] ?? 0
    for (let steps = ints[at + 1] ?? 0; steps !== 0; steps &= steps - 1)
      addTieCandidate(division, sheet, band, order, 31 - Math.clz32(steps & -steps))
  }
  for (let k = 0; k < BAND_STEPS; k++) {
    const units = (left[k] ?? 0) - (beyond[k] ?? 0)
    if (units > 0) serveLargestRemainders(sheet, k, units)
  }
}

function addTieCandidate(
  { bound, numerator, denominator }: Division,
  sheet: BandLayout,
  band: number,
  order: number,
  k: number,
): void {
  const { ints, ratio } = sheet.room
  const at = (sheet.bands[band] ?? 0) + k
  const w = ints[sheet.constant ? sheet.weight / 4 + order : getFigureIndex(sheet, sheet.weight, band, order, k)] ?? 0
  // A full member has left the division.
  if (bound === 'fill' && w * (ratio[k] ?? 0) >= (ints[getFigureIndex(sheet, sheet.need, band, order, k)] ?? 0)) return
  const whole = ints[sheet.floor / 4 + order * BAND_STEPS + k] ?? 0
  const slot = k * tieBuffers.members + (counts[k] ?? 0)
  counts[k] = (counts[k] ?? 0) + 1
  tieBuffers.orders[slot] = order
  tieBuffers.remainders[slot] = computeExactRemainder(w, numerator[at] ?? 0, whole, denominator[at] ?? 1)
}

/** Equal remainders are served in the order of members; afterwards their remainder is out of doubt. */
function serveLargestRemainders(sheet: BandLayout, k: number, units: number): void {
  const first = k * tieBuffers.members
  const last = first + (counts[k] ?? 0)
  if (first === last) return
  const least = findLeastServedRemainder(tieBuffers.remainders.subarray(first, last), units)
  let equals = units
  for (let slot = first; slot < last; slot++) if ((tieBuffers.remainders[slot] ?? 0) > least) equals--
  for (let slot = first; slot < last; slot++) {
    const r = tieBuffers.remainders[slot] ?? 0
    if (r < least || (r === least && equals-- <= 0)) continue
    sheet.room.ints[sheet.rest / 4 + (tieBuffers.orders[slot] ?? 0) * BAND_STEPS + k] = SERVED_REMAINDER
  }
}

/** The smallest remainder that still gets a unit. */
function findLeastServedRemainder(remainders: Float64Array, units: number): number {
  const one = remainders[0] ?? 0
  if (remainders.every((value) => value === one)) return one
  return remainders.slice().sort()[remainders.length - units] ?? one
}

/**
 * In fractions of a unit, well above the possible error of a double and of a rounded remainder: values have 31 bits,
 * doubles 53.
 */
const MARGIN = REMAINDER_UNIT * 2 ** -18
/**
 * A remainder that no member reaches: with no unit left nobody is served, and members whose tie is resolved come first.
 */
const NO_REMAINDER = 0x7fffffff
const SERVED_REMAINDER = NO_REMAINDER - 1
/** Interpolation assumes evenly spread remainders; in case they are not, every fourth guess halves the interval. */
const HALVING_INTERVAL = 4
/** This few members between two remainders are sorted faster than by counting all members again. */
const MAX_CANDIDATES = 4

/**
 * For each step of a band: two remainders between which the units run out, and how many members have at least each of
 * them.
 */
const low = new Int32Array(BAND_STEPS)
const high = new Int32Array(BAND_STEPS)
const below = new Int32Array(BAND_STEPS)
const above = new Int32Array(BAND_STEPS)

/**
 * Finds for each step of a band the remainders between which its units run out, with a margin for the error of doubles.
 */
function findThresholds({ members, room, rest, end }: BandLayout, left: Int32Array): void {
  low.fill(0)
  high.fill(REMAINDER_UNIT)
  below.fill(members.length)
  above.fill(0)
  for (let turn = 1; guessThresholds(room.low, left, turn); turn++) {
    routines.count(rest, end)
    narrowBounds(room.low, room.counts, left)
  }
  for (let k = 0; k < BAND_STEPS; k++) {
    const open = (left[k] ?? 0) > 0
    room.low[k] = open ? (low[k] ?? 0) - MARGIN : NO_REMAINDER
    room.high[k] = open ? (high[k] ?? 0) + MARGIN : NO_REMAINDER
  }
}

/** Nothing is to be found, or the remaining members are few, or too close to one another for a double. */
const isSettled = (k: number, wanted: number) =>
  wanted <= 0 || (high[k] ?? 0) - (low[k] ?? 0) <= MARGIN || (below[k] ?? 0) - (above[k] ?? 0) <= MAX_CANDIDATES

/** The next guesses; false when every step is settled. */
function guessThresholds(next: Int32Array, left: Int32Array, turn: number): boolean {
  let open = false
  for (let k = 0; k < BAND_STEPS; k++) {
    const [from, to, wanted] = [low[k] ?? 0, high[k] ?? 0, left[k] ?? 0]
    if (isSettled(k, wanted)) continue
    const even = (wanted - (above[k] ?? 0) + 0.5) / ((below[k] ?? 0) - (above[k] ?? 0) + 1)
    const at = Math.floor(to - (to - from) * (turn % HALVING_INTERVAL === 0 ? 0.5 : even))
    next[k] = Math.max(from + 1, Math.min(to - 1, at))
    open = true
  }
  return open
}

/** A guess that as many members reach as there are units is the threshold; otherwise it is a closer bound. */
function narrowBounds(at: Int32Array, counts: Int32Array, left: Int32Array): void {
  for (let k = 0; k < BAND_STEPS; k++) {
    const [wanted, count, here] = [left[k] ?? 0, counts[k] ?? 0, at[k] ?? 0]
    if (isSettled(k, wanted)) continue
    if (count >= wanted) {
      low[k] = here
      below[k] = count
    }
    if (count <= wanted) {
      high[k] = here
      above[k] = count
    }
  }
}
