import type { Division } from './division.ts'
import { leftOver } from './exact.ts'
import { placeOf, type Sheet } from './sheet.ts'
import { WIDTH } from './simd/lines.ts'
import { SERVED } from './threshold.ts'

/** Members in doubt at each step of a band, by their order, and their exact remainders: room for everyone at every step. */
let room = { members: 0, orders: new Int32Array(0), remainders: new Float64Array(0) }
const counts = new Int32Array(WIDTH)

function roomFor(members: number): typeof room {
  const size = WIDTH * members
  if (room.members < members) room = { members, orders: new Int32Array(size), remainders: new Float64Array(size) }
  return room
}

/** Among those of a band who are too near to where the units run out, the largest exact remainders are served. */
export function settleDoubts(division: Division, sheet: Sheet, found: number, band: number, left: Int32Array): void {
  const { ints, counts: beyond } = sheet.room
  roomFor(sheet.members.length)
  counts.fill(0)
  // Pairs: a member, and a bit for each step at which it is in doubt.
  for (let at = sheet.end / 4; at < found / 4; at += 2) {
    const order = ints[at] ?? 0
    for (let steps = ints[at + 1] ?? 0; steps !== 0; steps &= steps - 1)
      listDoubt(division, sheet, band, order, 31 - Math.clz32(steps & -steps))
  }
  for (let k = 0; k < WIDTH; k++) {
    const units = (left[k] ?? 0) - (beyond[k] ?? 0)
    if (units > 0) settle(sheet, k, units)
  }
}

function listDoubt(
  { bound, numerator, denominator }: Division,
  sheet: Sheet,
  band: number,
  order: number,
  k: number,
): void {
  const { ints, ratio } = sheet.room
  const at = (sheet.bands[band] ?? 0) + k
  const w = ints[sheet.constant ? sheet.weight / 4 + order : placeOf(sheet, sheet.weight, band, order, k)] ?? 0
  // Who is full has left the division.
  if (bound === 'fill' && w * (ratio[k] ?? 0) >= (ints[placeOf(sheet, sheet.need, band, order, k)] ?? 0)) return
  const whole = ints[sheet.floor / 4 + order * WIDTH + k] ?? 0
  const slot = k * room.members + (counts[k] ?? 0)
  counts[k] = (counts[k] ?? 0) + 1
  room.orders[slot] = order
  room.remainders[slot] = leftOver(w, numerator[at] ?? 0, whole, denominator[at] ?? 1)
}

/** The first of equals is served before the others: their remainders are beyond doubt then. */
function settle(sheet: Sheet, k: number, units: number): void {
  const first = k * room.members
  const last = first + (counts[k] ?? 0)
  if (first === last) return
  const least = leastServed(room.remainders.subarray(first, last), units)
  let equals = units
  for (let slot = first; slot < last; slot++) if ((room.remainders[slot] ?? 0) > least) equals--
  for (let slot = first; slot < last; slot++) {
    const r = room.remainders[slot] ?? 0
    if (r < least || (r === least && equals-- <= 0)) continue
    sheet.room.ints[sheet.rest / 4 + (room.orders[slot] ?? 0) * WIDTH + k] = SERVED
  }
}

/** The smallest remainder that gets a unit. */
function leastServed(remainders: Float64Array, units: number): number {
  const one = remainders[0] ?? 0
  if (remainders.every((value) => value === one)) return one
  return remainders.slice().sort()[remainders.length - units] ?? one
}
