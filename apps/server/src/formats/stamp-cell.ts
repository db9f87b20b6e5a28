import type { TableLayout } from './layout.ts'
import type { ReadingLocation } from './raw.ts'
import type { CsvRow } from './rows.ts'

const SCRATCH_BYTES = 64

/** Points a reading at its stamp; where the date and the time stand apart, they are first written side by side. */
export function createStampCellReader(bytes: Uint8Array, { stampAt, timeAt }: Pick<TableLayout, 'stampAt' | 'timeAt'>) {
  const scratch = new Uint8Array(SCRATCH_BYTES)
  return ({ bounds, fields }: CsvRow, into: Pick<ReadingLocation, 'stamp' | 'stampFrom' | 'stampTo'>): void => {
    const [from, to] = fields > stampAt ? [bounds[stampAt * 2] ?? 0, bounds[stampAt * 2 + 1] ?? 0] : [0, 0]
    if (timeAt < 0) {
      into.stamp = bytes
      into.stampFrom = from
      into.stampTo = to
      return
    }
    const [timeFrom, timeTo] = fields > timeAt ? [bounds[timeAt * 2] ?? 0, bounds[timeAt * 2 + 1] ?? 0] : [0, 0]
    const date = bytes.subarray(from, Math.min(to, from + SCRATCH_BYTES / 2 - 1))
    const time = bytes.subarray(timeFrom, Math.min(timeTo, timeFrom + SCRATCH_BYTES / 2))
    scratch.set(date)
    scratch[date.length] = 32
    scratch.set(time, date.length + 1)
    into.stamp = scratch
    into.stampFrom = 0
    into.stampTo = date.length + 1 + time.length
  }
}
