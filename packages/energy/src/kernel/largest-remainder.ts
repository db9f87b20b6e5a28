import type { Division } from './division.ts'
import { leftOver, quotient } from './exact.ts'
import type { LaneOf, Shares } from './lanes.ts'
import { placeOf, type Sheet, sheetOf, writeShares } from './sheet.ts'
import { routines } from './simd/engine.ts'
import { WIDTH } from './simd/lines.ts'
import { findThresholds, SERVED } from './threshold.ts'

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
  if (members.length === 0 || division.lit.length === 0) division.handed.fill(0, 0, division.length)
  else shareSheet(division, sheetOf(members, division, laneOf), shares)
}

/** The same for curves that are laid out already. */
export function shareSheet(division: Division, sheet: Sheet, shares: Shares): void {
  const { lit, handed, length } = division
  handed.fill(0, 0, length)
  const isLit = new Uint8Array(length + WIDTH)
  for (const at of lit) isLit[at] = 1
  for (const [band, from] of sheet.bands.entries()) {
    if (isWhole(division, from)) takeBand(division, from)
    else shareBand(division, sheet, band, isLit)
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

/** Shares take the place of needs: they are there already. */
function takeBand({ handed, quota, length }: Division, from: number): void {
  const last = Math.min(length, from + WIDTH)
  for (let at = from; at < last; at++) handed[at] = quota[at] ?? 0
}

function shareBand(division: Division, sheet: Sheet, band: number, isLit: Uint8Array): void {
  const { room, floor, rest, end, size } = sheet
  const { numerator, denominator, quota, handed, bound, length } = division
  const from = sheet.bands[band] ?? 0
  const left = new Int32Array(WIDTH)
  const need = sheet.need + band * size
  for (let k = 0; k < WIDTH; k++)
    room.ratio[k] = isLit[from + k] === 1 ? (numerator[from + k] ?? 0) / (denominator[from + k] ?? 1) : 0
  const weight = sheet.constant ? sheet.weight : sheet.weight + band * size
  const by = sheet.constant ? 'One' : 'Curve'
  routines[`${bound === 'fill' ? 'fill' : 'floors'}By${by}`](need, weight, floor, rest, end)
  // What is left is less than the number of members, however often the sum of the floors went round.
  for (let k = 0; k < WIDTH; k++)
    if (isLit[from + k] === 1) left[k] = ((quota[from + k] ?? 0) - (room.sums[k] ?? 0)) | 0
  findThresholds(sheet, left)
  const found = routines.near(rest, end, end)
  for (let k = 0; found > end && k < WIDTH; k++) {
    const units = (left[k] ?? 0) - (room.counts[k] ?? 0)
    if (units > 0) settle(sheet, list(division, sheet, found, band, k), k, units)
  }
  routines.place(need, floor, rest, end)
  for (let k = 0; k < WIDTH && from + k < length; k++) handed[from + k] = room.sums[k] ?? 0
}

/** Members in doubt, by their order, and their exact remainders. */
type Doubt = { orders: Int32Array; remainders: Float64Array }

/** Those of a step who are too near to where the units run out. */
function list(
  { bound, numerator, denominator }: Division,
  sheet: Sheet,
  found: number,
  band: number,
  k: number,
): Doubt {
  const { room, rest, floor, end } = sheet
  const at = (sheet.bands[band] ?? 0) + k
  const near = room.ints.subarray(end / 4, found / 4)
  const [n, d] = [numerator[at] ?? 0, denominator[at] ?? 1]
  const [orders, remainders] = [new Int32Array(near.length), new Float64Array(near.length)]
  let count = 0
  for (const order of near) {
    const left = room.ints[rest / 4 + order * WIDTH + k] ?? 0
    if (left < (room.low[k] ?? 0) || left >= (room.high[k] ?? 0)) continue
    const w = room.ints[weightOf(sheet, band, order, k)] ?? 0
    // Who is full has left the division.
    const need = room.ints[placeOf(sheet, sheet.need, band, order, k)] ?? 0
    if (bound === 'fill' && w * (room.ratio[k] ?? 0) >= need) continue
    orders[count] = order
    remainders[count++] = leftOver(w, n, room.ints[floor / 4 + order * WIDTH + k] ?? 0, d)
  }
  return { orders: orders.subarray(0, count), remainders: remainders.subarray(0, count) }
}

const weightOf = (sheet: Sheet, band: number, order: number, k: number) =>
  sheet.constant ? sheet.weight / 4 + order : placeOf(sheet, sheet.weight, band, order, k)

/** The largest remainders of those in doubt are served, the first of equals before the others: theirs are beyond doubt then. */
function settle({ room, rest }: Sheet, { orders, remainders }: Doubt, k: number, units: number): void {
  if (orders.length === 0) return
  const least = leastServed(remainders, units)
  let equals = units
  for (const r of remainders) if (r > least) equals--
  for (const [slot, order] of orders.entries()) {
    const r = remainders[slot] ?? 0
    if (r < least || (r === least && equals-- <= 0)) continue
    room.ints[rest / 4 + order * WIDTH + k] = SERVED
  }
}

/** The smallest remainder that gets a unit. */
function leastServed(remainders: Float64Array, units: number): number {
  const one = remainders[0] ?? 0
  if (remainders.every((value) => value === one)) return one
  return remainders.slice().sort()[remainders.length - units] ?? one
}
