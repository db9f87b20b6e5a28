import { createHash } from 'node:crypto'
import type { DayRow, PairRow, TotalRow } from './rows.ts'

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The order in which rows are hashed, whatever order they were made or read in. */
export const byDay = (a: DayRow, b: DayRow) => compare(a.day, b.day) || compare(a.pointId, b.pointId)
export const byClass = (a: TotalRow, b: TotalRow) =>
  compare(a.month, b.month) || compare(a.pointId, b.pointId) || compare(a.timeClass, b.timeClass)
export const byPair = (a: PairRow, b: PairRow) =>
  compare(a.month, b.month) ||
  compare(a.producerId, b.producerId) ||
  compare(a.pointId, b.pointId) ||
  compare(a.timeClass, b.timeClass)

/** Takes rows in their order, each kind by itself, and names the whole. */
export function createResultHash() {
  const days = createHash('sha256')
  const totals = createHash('sha256')
  const pairs = createHash('sha256')
  return {
    day({ day, pointId, total, local, excluded, allocated }: DayRow) {
      days.update(`${day} ${pointId} ${total} ${local} ${excluded} `)
      days.update(new Uint8Array(allocated.buffer, allocated.byteOffset, allocated.byteLength))
    },
    total({ month, pointId, timeClass, total, local }: TotalRow) {
      totals.update(`${month} ${pointId} ${timeClass} ${total} ${local};`)
    },
    pair({ month, producerId, pointId, timeClass, energy }: PairRow) {
      pairs.update(`${month} ${producerId} ${pointId} ${timeClass} ${energy};`)
    },
    digest: () =>
      createHash('sha256')
        .update(days.digest('hex') + totals.digest('hex') + pairs.digest('hex'))
        .digest('hex'),
  }
}
