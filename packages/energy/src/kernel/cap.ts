import { REMAINDER_BYTES, ROW_BYTES } from './simd/cap.ts'
import { ensureKernelMemory, routines } from './simd/engine.ts'
import { FREE_OFFSET } from './simd/lines.ts'
import { createNeedLane, type Tile } from './tile.ts'

/** What each consumer keeps, and what of each producer is kept, over the tile. */
export type CappedOutput = { allocated: Int32Array[]; shared: Int32Array[] }

const EXACT_PRODUCT_LIMIT = 2 ** 26

/** Whether products of these values are exact in a double. */
export function areProductsExact({ start, length }: Tile, produced: Int32Array[]): boolean {
  for (let at = start; at < start + length; at++) {
    let sum = 0
    for (const own of produced) sum += Math.max(0, own[at] ?? 0)
    if (sum >= EXACT_PRODUCT_LIMIT) return false
  }
  return true
}

/**
 * What consumers cannot use goes back to their producers in proportion to what each had given; writes what each keeps.
 */
export function capToNeeds(tile: Tile, cells: Int32Array[][], kept?: CappedOutput): void {
  const { start, length } = tile
  const last = FREE_OFFSET + 2 * cells.length * ROW_BYTES
  const [need, allocated, scratch] = [last, last + ROW_BYTES, last + 2 * ROW_BYTES]
  const { ints } = ensureKernelMemory(scratch + cells.length * REMAINDER_BYTES)
  const cellAt = (j: number) => FREE_OFFSET / 4 + (j * ROW_BYTES) / 2
  const sharedAt = (j: number) => cellAt(j) + ROW_BYTES / 4
  ints.fill(0, FREE_OFFSET / 4, scratch / 4)
  for (const member of tile.consumers.keys()) {
    const lane = createNeedLane(tile, member)
    ints.set(lane.need.subarray(lane.needAt, lane.needAt + length), need / 4)
    for (const [j, row] of cells.entries()) ints.set(row[member]?.subarray(0, length) ?? [], cellAt(j))
    routines.cap(FREE_OFFSET, last, 2 * ROW_BYTES, need, allocated, need + length * 4, scratch)
    for (const [j, row] of cells.entries()) row[member]?.set(ints.subarray(cellAt(j), cellAt(j) + length))
    kept?.allocated[member]?.set(ints.subarray(allocated / 4, allocated / 4 + length), start)
  }
  for (const [j, own] of kept?.shared.entries() ?? []) own.set(ints.subarray(sharedAt(j), sharedAt(j) + length), start)
}
