import type { Division } from './division.ts'
import { type Lane, type LaneOf, type Shares, TILE_STEPS } from './lanes.ts'
import { type Room, roomOf } from './simd/engine.ts'
import { FREE, LINE, WIDTH } from './simd/lines.ts'

/**
 * Rows end a line later than they must: a band may begin at any step, and rows a power of two apart would share few places of
 * the processor's cache.
 */
const ROW = TILE_STEPS + WIDTH
const STRIDE = ROW * Int32Array.BYTES_PER_ELEMENT

/** Needs, weights and shares of the members over the tile, a row each, in the memory of the vector routines. */
export type Sheet = {
  members: readonly number[]
  room: Room
  stride: number
  /** Where rows begin, in bytes. Weights that are the same at all steps are one integer each. */
  need: number
  weight: number
  constant: boolean
  share: number
  /** Figures of a band at work: lines of floors, of remainders, and a list of members. */
  floor: number
  rest: number
  end: number
}

/** Copies the curves of everyone: whole stretches at once, night and day, as memory delivers them best. */
export function sheetOf(members: readonly number[], { length, bound }: Division, laneOf: LaneOf): Sheet {
  const rows = members.length * STRIDE
  const lines = members.length * LINE
  const own = bound !== 'need'
  const [need, share, floor] = [FREE, FREE + rows, FREE + 2 * rows]
  const [rest, end] = [floor + lines, floor + 2 * lines]
  const ones = end + lines
  const room = roomOf(ones + lines + (own ? rows : 0))
  const sheet: Sheet = {
    members,
    room,
    stride: STRIDE,
    need,
    share,
    floor,
    rest,
    end,
    constant: own,
    weight: own ? ones : need,
  }
  for (let order = 0; order < members.length; order++) {
    const lane = laneOf(members[order] ?? 0, 0)
    room.ints.set(lane.need.subarray(lane.needAt, lane.needAt + length), need / 4 + order * ROW)
    if (!own) continue
    if (sheet.constant && lane.mask === 0) room.ints[ones / 4 + order] = lane.weight[lane.weightAt] ?? 0
    else readWeight(sheet, order, lane, length)
  }
  return sheet
}

/** One weight that changes makes rows of them all. */
function readWeight(sheet: Sheet, order: number, lane: Lane, length: number): void {
  const { ints } = sheet.room
  if (sheet.constant) {
    const ones = sheet.weight / 4
    sheet.constant = false
    sheet.weight += sheet.members.length * LINE
    for (let before = 0; before < order; before++) fillRow(sheet, before, ints[ones + before] ?? 0)
  }
  if (lane.mask === 0) fillRow(sheet, order, lane.weight[lane.weightAt] ?? 0)
  else ints.set(lane.weight.subarray(lane.weightAt, lane.weightAt + length), sheet.weight / 4 + order * ROW)
}

function fillRow({ room, weight }: Sheet, order: number, value: number): void {
  const at = weight / 4 + order * ROW
  room.ints.fill(value, at, at + ROW)
}

/** Hands the shares to their curves; by night they are nothing. */
export function writeShares({ members, room, share }: Sheet, { length }: Division, { outs, outAt }: Shares): void {
  for (let order = 0; order < members.length; order++) {
    const at = share / 4 + order * ROW
    outs[members[order] ?? 0]?.set(room.ints.subarray(at, at + length), outAt)
  }
}

export const needAt = ({ room, need }: Sheet, order: number, at: number): number =>
  room.ints[need / 4 + order * ROW + at] ?? 0
export const weightAt = ({ room, weight, constant }: Sheet, order: number, at: number): number =>
  room.ints[weight / 4 + (constant ? order : order * ROW + at)] ?? 0
export const shareAt = ({ share }: Sheet, order: number, at: number): number => share / 4 + order * ROW + at
export const clearShares = ({ room, share, end }: Sheet): void => {
  room.ints.fill(0, share / 4, end / 4)
}
