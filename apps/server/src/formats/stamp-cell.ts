import type { Layout } from './layout.ts'
import type { Reading } from './raw.ts'
import type { Row } from './rows.ts'

const ROOM = 64

/** Points a reading at its stamp; where the date and the time stand apart, they are first written side by side. */
export function createStampCell(bytes: Uint8Array, { stampAt, timeAt }: Pick<Layout, 'stampAt' | 'timeAt'>) {
  const scratch = new Uint8Array(ROOM)
  return ({ bounds, fields }: Row, into: Pick<Reading, 'stamp' | 'stampFrom' | 'stampTo'>): void => {
    const [from, to] = fields > stampAt ? [bounds[stampAt * 2] ?? 0, bounds[stampAt * 2 + 1] ?? 0] : [0, 0]
    if (timeAt < 0) {
      into.stamp = bytes
      into.stampFrom = from
      into.stampTo = to
      return
    }
    const [timeFrom, timeTo] = fields > timeAt ? [bounds[timeAt * 2] ?? 0, bounds[timeAt * 2 + 1] ?? 0] : [0, 0]
    const date = bytes.subarray(from, Math.min(to, from + ROOM / 2 - 1))
    const time = bytes.subarray(timeFrom, Math.min(timeTo, timeFrom + ROOM / 2))
    scratch.set(date)
    scratch[date.length] = 32
    scratch.set(time, date.length + 1)
    into.stamp = scratch
    into.stampFrom = 0
    into.stampTo = date.length + 1 + time.length
  }
}
