import { createHash } from 'node:crypto'
import type { DayRow, PairRow, TotalRow } from './rows.ts'

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** A fixed order for hashing rows, whatever order they were created or read in. */
export const compareDayRows = (a: DayRow, b: DayRow) => compareText(a.day, b.day) || compareText(a.pointId, b.pointId)
export const compareTotalRows = (a: TotalRow, b: TotalRow) =>
  compareText(a.month, b.month) || compareText(a.pointId, b.pointId) || compareText(a.timeClass, b.timeClass)
export const comparePairRows = (a: PairRow, b: PairRow) =>
  compareText(a.month, b.month) ||
  compareText(a.producerId, b.producerId) ||
  compareText(a.pointId, b.pointId) ||
  compareText(a.timeClass, b.timeClass)

/** Hashes rows in order, each kind separately, into one result hash. */
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
