import type { Division } from './division.ts'
import { type Lane, type LaneOf, LONGEST_TILE, NOBODY, type Shares } from './lanes.ts'
import { type Room, roomOf, routines } from './simd/engine.ts'
import { FREE, LINE, WIDTH } from './simd/lines.ts'
import { ENTRY, ROW, ROWS } from './simd/rows.ts'

/** The row that comes in, the rows that go out, the table of bands, then what depends on how many members there are. */
const IN = FREE
const OUT = IN + ROW
const TABLE = OUT + ROWS * ROW
const LINES = Math.ceil((TABLE + (LONGEST_TILE / WIDTH) * ENTRY) / LINE) * LINE

/**
 * Needs, weights and then shares of the members over the steps that are lit, in the memory of the vector routines: by bands of as many
 * steps as make a line, and in each a line of every member, as a division reads them.
 */
export type Sheet = {
  members: readonly number[]
  room: Room
  /** The first step of each band. */
  bands: number[]
  /** Of a band, in bytes. */
  size: number
  /** Where the first band begins, in bytes. Shares take the place of needs; weights alike at all steps are one integer each. */
  need: number
  weight: number
  constant: boolean
  /** Figures of a band at work: lines of floors, of remainders, and a list of members. */
  floor: number
  rest: number
  end: number
}

/** Copies the curves of everyone: whole stretches at once, as memory delivers them best, then by bands. */
export function sheetOf(members: readonly number[], { length, bound, lit }: Division, laneOf: LaneOf): Sheet {
  const bands = bandsOf(lit)
  const size = members.length * LINE
  const own = bound !== 'need'
  const [floor, rest, end, ones] = [LINES, LINES + size, LINES + 2 * size, LINES + 3 * size]
  const need = ones + size
  const room = roomOf(need + (own ? 2 : 1) * bands.length * size + ROWS * LINE)
  const weight = own ? ones : need
  const sheet: Sheet = { members, room, bands, size, need, weight, constant: own, floor, rest, end }
  for (const [band, from] of bands.entries()) room.ints[(TABLE + band * ENTRY) / 4] = from * 4
  room.ints.fill(0, IN / 4 + length, IN / 4 + length + WIDTH)
  for (let order = 0; order < members.length; order++) {
    const lane = laneOf(members[order] ?? 0)
    room.ints.set(lane.need.subarray(lane.needAt, lane.needAt + length), IN / 4)
    spreadRow(sheet, need, order)
    if (!own) continue
    if (sheet.constant && lane.mask === 0) room.ints[ones / 4 + order] = lane.weight[lane.weightAt] ?? 0
    else readWeight(sheet, order, lane, length)
  }
  return sheet
}

/** A band begins where it is lit, and the next one at the first lit step after it. */
function bandsOf(lit: Int32Array): number[] {
  const bands: number[] = []
  let next = 0
  for (const at of lit) {
    if (at < next) continue
    bands.push(at)
    next = at + WIDTH
  }
  return bands
}

const tableEnd = ({ bands }: Sheet) => TABLE + bands.length * ENTRY

const spreadRow = (sheet: Sheet, area: number, order: number) =>
  routines.spread(IN, TABLE, tableEnd(sheet), area + order * LINE, sheet.size)

/** One weight that changes makes lines of them all. */
function readWeight(sheet: Sheet, order: number, lane: Lane, length: number): void {
  const { ints } = sheet.room
  if (sheet.constant) {
    const ones = sheet.weight / 4
    sheet.constant = false
    sheet.weight = sheet.need + sheet.bands.length * sheet.size
    for (let before = 0; before < order; before++) fillRow(sheet, before, ints[ones + before] ?? 0)
  }
  if (lane.mask === 0) fillRow(sheet, order, lane.weight[lane.weightAt] ?? 0)
  else {
    ints.set(lane.weight.subarray(lane.weightAt, lane.weightAt + length), IN / 4)
    spreadRow(sheet, sheet.weight, order)
  }
}

function fillRow(sheet: Sheet, order: number, value: number): void {
  sheet.room.ints.fill(value, IN / 4, (IN + ROW) / 4)
  spreadRow(sheet, sheet.weight, order)
}

/** Hands the shares to their curves, a few at a time; by night they are nothing. Rows beyond the last member's are nobody's. */
export function writeShares(sheet: Sheet, { length }: Division, { outs, outAt }: Shares): void {
  const { members, room } = sheet
  const rows = Array.from({ length: ROWS }, (_, r) => (OUT + r * ROW) / 4).map((at) =>
    room.ints.subarray(at, at + length),
  )
  room.ints.fill(0, OUT / 4, TABLE / 4)
  for (let first = 0; first < members.length; first += ROWS) {
    routines.gather(OUT, TABLE, tableEnd(sheet), sheet.need + first * LINE, sheet.size)
    for (const [r, row] of rows.entries()) outs[members[first + r] ?? NOBODY]?.set(row, outAt)
  }
}

/** Where the figure of a member is at a step of a band, in integers from the start of the memory. */
export const placeOf = ({ size }: Sheet, area: number, band: number, order: number, k: number): number =>
  (area + band * size) / 4 + order * WIDTH + k

/** What everyone of the sheet needs together, at each step of a band: asked for just before the band is divided, it is in cache then. */
export function totalsOf({ room, need, size }: Sheet, band: number): Float64Array {
  routines.total(need + band * size, need + (band + 1) * size)
  return room.totals
}
