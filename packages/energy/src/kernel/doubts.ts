import type { Division } from './division.ts'
import { computeExactRemainder } from './exact.ts'
import { type BandLayout, getFigureIndex } from './sheet.ts'
import { BAND_STEPS } from './simd/lines.ts'
import { SERVED_REMAINDER } from './threshold.ts'

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
export function resolveTies(
  division: Division,
  sheet: BandLayout,
  found: number,
  band: number,
  left: Int32Array,
): void {
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
