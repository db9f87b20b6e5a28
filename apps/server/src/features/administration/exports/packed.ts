import type { ColumnTable, DataCell } from './data-set.ts'

/**
 * Daily curves in compact form: one value per step and no object per reading. `texts` has one row per day with the
 * columns that are constant over the day.
 */
export type PackedDays = {
  kind: 'days'
  /** For each day: its row of `texts`, its first minute, its step in minutes and its number of steps. */
  lines: Uint32Array<ArrayBuffer>
  startsAt: Float64Array<ArrayBuffer>
  steps: Uint16Array<ArrayBuffer>
  lengths: Uint16Array<ArrayBuffer>
  texts: string[][]
  /** A negative value means no reading. */
  values: Int32Array<ArrayBuffer>
  /** For each step the quality of its reading, where the data set has it; 0 for none. */
  marks: Uint8Array<ArrayBuffer> | null
}

export const QUALITY_MARKS = ['missing', 'raw', 'corrected', 'estimated', 'doubtful'] as const

export const countDataRows = (data: ColumnTable | PackedDays): number =>
  data.kind === 'table' ? data.size : data.values.length

/** The columns of readings: the constant texts of the day, instant, step, value and quality. */
export function unpackDays(days: PackedDays): {
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
