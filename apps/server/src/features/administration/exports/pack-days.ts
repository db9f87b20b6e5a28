import { dayStart } from '@voisol/energy/calendar'
import type { PackedDays } from './packed.ts'

export type PointDay = {
  line: number
  day: string
  step: number
  values: Int32Array
  marks: Uint8Array | null
  quality: number
}

/** Packs days together, ordered by point and time. */
export function packDays(days: PointDay[], texts: string[][], marked: boolean): PackedDays {
  days.sort((a, b) => a.line - b.line || (a.day < b.day ? -1 : 1))
  const size = days.reduce((sum, { values }) => sum + values.length, 0)
  const values = new Int32Array(size)
  const marks = marked ? new Uint8Array(size) : null
  let at = 0
  for (const day of days) {
    values.set(day.values, at)
    if (marks)
      for (let n = 0; n < day.values.length; n++)
        marks[at + n] = (day.values[n] ?? -1) < 0 ? 0 : (day.marks?.[n] ?? day.quality)
    at += day.values.length
  }
  return {
    kind: 'days',
    lines: Uint32Array.from(days, ({ line }) => line),
    startsAt: Float64Array.from(days, ({ day }) => dayStart(day)),
    steps: Uint16Array.from(days, ({ step }) => step),
    lengths: Uint16Array.from(days, ({ values: { length } }) => length),
    texts,
    values,
    marks,
  }
}
