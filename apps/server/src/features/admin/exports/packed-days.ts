import { dayStart } from '@voisol/energy/calendar'
import type { ColumnTable, DataCell, PackedDays } from './data-set.ts'

const QUALITY_MARKS = ['missing', 'raw', 'corrected', 'estimated', 'doubtful'] as const

/** The columns of readings: the constant texts of the day, instant, step, value and quality. */
function unpackDays(days: PackedDays): {
  at: Float64Array
  steps: Int32Array
  values: DataCell[]
  texts: DataCell[][]
} {
  const size = days.values.length
  const at = new Float64Array(size)
  const steps = new Int32Array(size)
  const values = new Array<DataCell>(size)
  const texts = days.texts.map(() => new Array<DataCell>(size))
  let row = 0
  for (let day = 0; day < days.lines.length; day++) {
    const [line = 0, step = 0] = [days.lines[day], days.steps[day]]
    const start = (days.startsAt[day] ?? 0) * 60_000
    const end = row + (days.lengths[day] ?? 0)
    for (let column = 0; column < texts.length; column++)
      texts[column]?.fill(days.texts[column]?.[line] ?? '', row, end)
    steps.fill(step, row, end)
    for (let moment = start; row < end; row++, moment += step * 60_000) {
      const value = days.values[row] ?? -1
      at[row] = moment
      values[row] = value < 0 ? null : value
    }
  }
  return { at, steps, values, texts }
}

/** Expands packed days to an ordinary table. */
export function expandColumns(data: ColumnTable | PackedDays): { size: number; columns: ArrayLike<DataCell>[] } {
  if (data.kind === 'table') return data
  const { at, steps, values, texts } = unpackDays(data)
  const { marks } = data
  const worth = marks && Array.from(marks, (mark): DataCell => QUALITY_MARKS[mark] ?? 'missing')
  return { size: values.length, columns: [...texts, at, steps, values, ...(worth ? [worth] : [])] }
}

/** Buffers transferred to the worker thread without a copy. */
export const listTransferables = (data: ColumnTable | PackedDays): ArrayBuffer[] =>
  data.kind === 'table'
    ? []
    : [data.lines, data.startsAt, data.steps, data.lengths, data.values, ...(data.marks ? [data.marks] : [])].map(
        ({ buffer }) => buffer,
      )

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
