import {
  type Division,
  type LaneReader,
  MAX_TILE_STEPS,
  type MemberLane,
  NO_MEMBER,
  type ShareOutput,
} from './division.ts'
import { BAND_ENTRY_BYTES, BAND_ROW_BYTES, ROWS_AT_ONCE } from './simd/band-rows.ts'
import { ensureKernelMemory, type KernelMemory, routines } from './simd/engine.ts'
import { BAND_STEPS, FREE_OFFSET, LINE_BYTES } from './simd/memory-layout.ts'

/**
 * Memory: the row read, the rows written, the table of bands, then areas whose size depends on the number of members.
 */
const INPUT_ROW = FREE_OFFSET
const OUTPUT_ROWS = INPUT_ROW + BAND_ROW_BYTES
const BAND_TABLE = OUTPUT_ROWS + ROWS_AT_ONCE * BAND_ROW_BYTES
const FIRST_LINE = Math.ceil((BAND_TABLE + (MAX_TILE_STEPS / BAND_STEPS) * BAND_ENTRY_BYTES) / LINE_BYTES) * LINE_BYTES

/**
 * Needs, weights and then shares of the members over the daylight steps, in the memory of the vector routines: cut into
 * bands of 16 steps (one cache line); each band holds one line per member, in the order in which a division reads them.
 */
export type BandLayout = {
  members: readonly number[]
  room: KernelMemory
  /** The first step of each band. */
  bands: number[]
  /** Size of a band, in bytes. */
  size: number
  /** Offset of the first band, in bytes. Shares are written over needs; constant weights are one integer each. */
  need: number
  weight: number
  constant: boolean
  /** Work areas of the current band: lines of floors, of remainders, and a list of members. */
  floor: number
  rest: number
  end: number
}

/** Copies the curves of all members: long ranges first, which memory delivers fastest, then band by band. */
export function buildBandLayout(
  members: readonly number[],
  { length, bound, lit }: Division,
  laneOf: LaneReader,
): BandLayout {
  const bands = listBands(lit)
  const size = members.length * LINE_BYTES
  const own = bound !== 'need'
  const [floor, rest, end, ones] = [FIRST_LINE, FIRST_LINE + size, FIRST_LINE + 2 * size, FIRST_LINE + 3 * size]
  const need = ones + size
  const room = ensureKernelMemory(need + (own ? 2 : 1) * bands.length * size + ROWS_AT_ONCE * LINE_BYTES)
  const weight = own ? ones : need
  const sheet: BandLayout = { members, room, bands, size, need, weight, constant: own, floor, rest, end }
  for (const [band, from] of bands.entries()) room.ints[(BAND_TABLE + band * BAND_ENTRY_BYTES) / 4] = from * 4
  room.ints.fill(0, INPUT_ROW / 4 + length, INPUT_ROW / 4 + length + BAND_STEPS)
  for (let order = 0; order < members.length; order++) {
    const lane = laneOf(members[order] ?? 0)
    room.ints.set(lane.need.subarray(lane.needAt, lane.needAt + length), INPUT_ROW / 4)
    writeRowToBands(sheet, need, order)
    if (!own) continue
    if (sheet.constant && lane.mask === 0) room.ints[ones / 4 + order] = lane.weight[lane.weightAt] ?? 0
    else readWeight(sheet, order, lane, length)
  }
  return sheet
}

/** A band begins at a daylight step, and the next one at the first daylight step after it. */
function listBands(lit: Int32Array): number[] {
  const bands: number[] = []
  let next = 0
  for (const at of lit) {
    if (at < next) continue
    bands.push(at)
    next = at + BAND_STEPS
  }
  return bands
}

const getTableEnd = ({ bands }: BandLayout) => BAND_TABLE + bands.length * BAND_ENTRY_BYTES

const writeRowToBands = (sheet: BandLayout, area: number, order: number) =>
  routines.spread(INPUT_ROW, BAND_TABLE, getTableEnd(sheet), area + order * LINE_BYTES, sheet.size)

/** As soon as one weight varies, all weights are stored as lines. */
function readWeight(sheet: BandLayout, order: number, lane: MemberLane, length: number): void {
  const { ints } = sheet.room
  if (sheet.constant) {
    const ones = sheet.weight / 4
    sheet.constant = false
    sheet.weight = sheet.need + sheet.bands.length * sheet.size
    for (let before = 0; before < order; before++) fillRowOfBands(sheet, before, ints[ones + before] ?? 0)
  }
  if (lane.mask === 0) fillRowOfBands(sheet, order, lane.weight[lane.weightAt] ?? 0)
  else {
    ints.set(lane.weight.subarray(lane.weightAt, lane.weightAt + length), INPUT_ROW / 4)
    writeRowToBands(sheet, sheet.weight, order)
  }
}

function fillRowOfBands(sheet: BandLayout, order: number, value: number): void {
  sheet.room.ints.fill(value, INPUT_ROW / 4, (INPUT_ROW + BAND_ROW_BYTES) / 4)
  writeRowToBands(sheet, sheet.weight, order)
}

/**
 * Copies the shares to their curves, a few at a time; by night they are zero. Rows beyond the last member are unused.
 */
export function writeShares(sheet: BandLayout, { length }: Division, { outs, outAt }: ShareOutput): void {
  const { members, room } = sheet
  const rows = Array.from({ length: ROWS_AT_ONCE }, (_, r) => (OUTPUT_ROWS + r * BAND_ROW_BYTES) / 4).map((at) =>
    room.ints.subarray(at, at + length),
  )
  room.ints.fill(0, OUTPUT_ROWS / 4, BAND_TABLE / 4)
  for (let first = 0; first < members.length; first += ROWS_AT_ONCE) {
    routines.gather(OUTPUT_ROWS, BAND_TABLE, getTableEnd(sheet), sheet.need + first * LINE_BYTES, sheet.size)
    for (const [r, row] of rows.entries()) outs[members[first + r] ?? NO_MEMBER]?.set(row, outAt)
  }
}

/** Index of the value of a member at a step of a band, in integers from the start of the memory. */
export const getFigureIndex = ({ size }: BandLayout, area: number, band: number, order: number, k: number): number =>
  (area + band * size) / 4 + order * BAND_STEPS + k

/**
 * The total need at each step of a band: computed just before the band is divided, so that the band is in the cache
 * then.
 */
export function computeBandTotals({ room, need, size }: BandLayout, band: number): Float64Array {
  routines.total(need + band * size, need + (band + 1) * size)
  return room.totals
}
