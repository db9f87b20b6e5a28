import { REMAINDERS, ROW_BYTES } from './simd/cap.ts'
import { roomOf, routines } from './simd/engine.ts'
import { FREE } from './simd/lines.ts'
import { needLane, type Tile } from './tile.ts'

/** What each consumer keeps, and what of each producer is kept, over the tile. */
export type Kept = { allocated: Int32Array[]; shared: Int32Array[] }

const SMALL = 2 ** 26

/** Figures of which a product is exact. */
export function isSmall({ start, length }: Tile, produced: Int32Array[]): boolean {
  for (let at = start; at < start + length; at++) {
    let sum = 0
    for (const own of produced) sum += Math.max(0, own[at] ?? 0)
    if (sum >= SMALL) return false
  }
  return true
}

/** What consumers cannot use goes back to their producers in proportion to what each had given; writes what is kept. */
export function capSmall(tile: Tile, cells: Int32Array[][], kept?: Kept): void {
  const { start, length } = tile
  const last = FREE + 2 * cells.length * ROW_BYTES
  const [need, allocated, scratch] = [last, last + ROW_BYTES, last + 2 * ROW_BYTES]
  const { ints } = roomOf(scratch + cells.length * REMAINDERS)
  const cellAt = (j: number) => FREE / 4 + (j * ROW_BYTES) / 2
  const sharedAt = (j: number) => cellAt(j) + ROW_BYTES / 4
  ints.fill(0, FREE / 4, scratch / 4)
  for (const member of tile.consumers.keys()) {
    const lane = needLane(tile, member)
    ints.set(lane.need.subarray(lane.needAt, lane.needAt + length), need / 4)
    for (const [j, row] of cells.entries()) ints.set(row[member]?.subarray(0, length) ?? [], cellAt(j))
    routines.cap(FREE, last, 2 * ROW_BYTES, need, allocated, need + length * 4, scratch)
    for (const [j, row] of cells.entries()) row[member]?.set(ints.subarray(cellAt(j), cellAt(j) + length))
    kept?.allocated[member]?.set(ints.subarray(allocated / 4, allocated / 4 + length), start)
  }
  for (const [j, own] of kept?.shared.entries() ?? []) own.set(ints.subarray(sharedAt(j), sharedAt(j) + length), start)
}
