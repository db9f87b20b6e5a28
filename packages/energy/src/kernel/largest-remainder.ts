import type { Division } from './division.ts'
import { leftOver, quotient } from './exact.ts'
import type { LaneOf, Shares } from './lanes.ts'
import { clearShares, needAt, type Sheet, shareAt, sheetOf, weightAt, writeShares } from './sheet.ts'
import { routines } from './simd/engine.ts'
import { WIDTH } from './simd/lines.ts'
import { findThresholds } from './threshold.ts'

/** Products of two figures below this are exact in a double, and so is the floor of their quotient by a third. */
const SMALL = 2 ** 26

/**
 * Splits `total` in proportion to weights that sum to `whole` ≥ total, by largest remainder; the lower index wins a tie.
 * No part exceeds its weight.
 */
export function splitByWeight(total: number, weights: Float64Array, whole: number, parts: Float64Array): void {
  const count = weights.length
  const small = whole < SMALL
  let rest = total
  for (let at = 0; at < count; at++) {
    const weight = weights[at] ?? 0
    const part = whole === 0 ? 0 : small ? Math.floor((weight * total) / whole) : quotient(weight, total, whole)
    parts[at] = part
    rest -= part
  }
  // A remainder is below one unit each: fewer units are left than there are weights.
  for (; rest > 0; rest--) {
    let best = 0
    let largest = -1
    for (let at = 0; at < count; at++) {
      const part = parts[at] ?? 0
      const weight = weights[at] ?? 0
      const remainder = small ? weight * total - part * whole : leftOver(weight, total, part, whole)
      if (remainder > largest) {
        largest = remainder
        best = at
      }
    }
    parts[best] = (parts[best] ?? 0) + 1
  }
}

/**
 * Largest remainder for a whole tile, a few steps at a time: floors and remainders of everyone, the remainder at which the units
 * run out, then shares. Only who is too near to that one for a double to tell has to be ordered, by exact remainders. A floor
 * that the double got one too low has a remainder of a whole unit, and so is the first to be served.
 */
export function shareByLargestRemainder(
  division: Division,
  members: readonly number[],
  laneOf: LaneOf,
  shares: Shares,
): void {
  const { lit, handed, length } = division
  handed.fill(0, 0, length)
  if (members.length === 0) return
  const sheet = sheetOf(members, division, laneOf)
  clearShares(sheet)
  const isLit = new Uint8Array(length + WIDTH)
  for (const at of lit) isLit[at] = 1
  for (let from = 0; from < length; from++) {
    if (isLit[from] === 0) continue
    if (isWhole(division, from)) takeBand(division, sheet, from)
    else shareBand(division, sheet, from, isLit)
    from += WIDTH - 1
  }
  writeShares(sheet, division, shares)
}

/** Everyone gets what it needs at all steps of the band. */
const isWhole = ({ bound, denominator, numerator, length }: Division, from: number): boolean => {
  if (bound !== 'need') return false
  for (let at = from; at < from + WIDTH && at < length; at++)
    if (denominator[at] !== 1 || numerator[at] !== 1) return false
  return true
}

function takeBand({ handed, quota, length }: Division, { need, share, stride }: Sheet, from: number): void {
  routines.take(need + from * 4, share + from * 4, share, stride)
  const last = Math.min(length, from + WIDTH)
  for (let at = from; at < last; at++) handed[at] = quota[at] ?? 0
}

/** As many steps as make a line, from a given one on. */
function shareBand(division: Division, sheet: Sheet, from: number, isLit: Uint8Array): void {
  const { room, floor, rest, end, stride } = sheet
  const { numerator, denominator, quota, handed, bound, length } = division
  const left = new Int32Array(WIDTH)
  const [need, share] = [sheet.need + from * 4, sheet.share + from * 4]
  for (let k = 0; k < WIDTH; k++)
    room.ratio[k] = isLit[from + k] === 1 ? (numerator[from + k] ?? 0) / (denominator[from + k] ?? 1) : 0
  const weight = sheet.constant ? sheet.weight : sheet.weight + from * 4
  const by = sheet.constant ? 'One' : 'Curve'
  routines[`${bound === 'fill' ? 'fill' : 'floors'}By${by}`](need, weight, floor, rest, end, stride)
  // What is left is less than the number of members, however often the sum of the floors went round.
  for (let k = 0; k < WIDTH; k++)
    if (isLit[from + k] === 1) left[k] = ((quota[from + k] ?? 0) - (room.sums[k] ?? 0)) | 0
  findThresholds(sheet, left)
  const found = routines.place(need, share, floor, rest, end, end, stride)
  for (let k = 0; k < WIDTH && from + k < length; k++) {
    handed[from + k] = room.sums[k] ?? 0
    const units = (left[k] ?? 0) - (room.counts[k] ?? 0)
    if (found > end && units > 0) settle(division, sheet, list(division, sheet, found, from, k), from + k, units)
  }
}

/** Members in doubt, by their order, and their exact remainders. */
type Doubt = { orders: Int32Array; remainders: Float64Array }

/** Those of a step who are too near to where the units run out. */
function list(
  { bound, numerator, denominator }: Division,
  sheet: Sheet,
  found: number,
  from: number,
  k: number,
): Doubt {
  const { room, rest, floor, end } = sheet
  const at = from + k
  const near = room.ints.subarray(end / 4, found / 4)
  const [n, d] = [numerator[at] ?? 0, denominator[at] ?? 1]
  const [orders, remainders] = [new Int32Array(near.length), new Float64Array(near.length)]
  let count = 0
  for (const order of near) {
    const left = room.ints[rest / 4 + order * WIDTH + k] ?? 0
    if (left < (room.low[k] ?? 0) || left >= (room.high[k] ?? 0)) continue
    const w = weightAt(sheet, order, at)
    // Who is full has left the division.
    if (bound === 'fill' && w * (room.ratio[k] ?? 0) >= needAt(sheet, order, at)) continue
    orders[count] = order
    remainders[count++] = leftOver(w, n, room.ints[floor / 4 + order * WIDTH + k] ?? 0, d)
  }
  return { orders: orders.subarray(0, count), remainders: remainders.subarray(0, count) }
}

/** Serves the largest remainders of those in doubt, the first of equals before the others; who is full loses its unit. */
function settle({ handed }: Division, sheet: Sheet, { orders, remainders }: Doubt, at: number, units: number): void {
  if (orders.length === 0) return
  const { ints } = sheet.room
  const least = leastServed(remainders, units)
  let equals = units
  for (const r of remainders) if (r > least) equals--
  for (const [slot, order] of orders.entries()) {
    const r = remainders[slot] ?? 0
    if (r < least || (r === least && equals-- <= 0)) continue
    const place = shareAt(sheet, order, at)
    if ((ints[place] ?? 0) >= needAt(sheet, order, at)) continue
    ints[place] = (ints[place] ?? 0) + 1
    handed[at] = (handed[at] ?? 0) + 1
  }
}

/** The smallest remainder that gets a unit. */
function leastServed(remainders: Float64Array, units: number): number {
  const one = remainders[0] ?? 0
  if (remainders.every((value) => value === one)) return one
  return remainders.slice().sort()[remainders.length - units] ?? one
}
