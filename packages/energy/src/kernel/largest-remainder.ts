import type { Division } from './division.ts'
import { resolveTies } from './doubts.ts'
import { computeExactQuotient, computeExactRemainder } from './exact.ts'
import type { LaneReader, ShareOutput } from './lanes.ts'
import { type BandLayout, buildBandLayout, writeShares } from './sheet.ts'
import { routines } from './simd/engine.ts'
import { BAND_STEPS } from './simd/lines.ts'
import { findThresholds } from './threshold.ts'

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
