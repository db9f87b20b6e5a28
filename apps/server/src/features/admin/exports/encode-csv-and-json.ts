import type { CsvDialect } from '@voisol/contract/exports'
import { FRENCH_CSV, formatCsvCell, RFC4180_CSV } from '../../../files/csv.ts'
import type { ColumnTable, DataCell, DataSetColumn, PackedDays } from './data-set.ts'
import { expandColumns } from './packed-days.ts'

const DIALECTS = { french: FRENCH_CSV, rfc: RFC4180_CSV }

/** Instants come in order, so that the text of each day is formatted once. */
function createInstantFormatter() {
  let [known, start] = ['', Number.NaN]
  return (ms: number) => {
    const within = ms - start
    if (!(within >= 0 && within < 86_400_000)) {
      known = new Date(ms).toISOString().slice(0, 11)
      start = Date.parse(`${known.slice(0, 10)}T00:00:00Z`)
    }
    const seconds = Math.floor((ms - start) / 1000)
    const rest = ms % 1000
    const two = (n: number) => (n < 10 ? `0${n}` : String(n))
    const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
    return `${known}${clock}${rest ? `.${String(rest).padStart(3, '0')}` : ''}Z`
  }
}

/** Formats a cell for any program; an instant has its time zone. */
function createCellReaders(columns: DataSetColumn[]): ((cell: DataCell) => DataCell)[] {
  return columns.map(({ type }) => {
    if (type !== 'instant') return (cell) => cell
    const stamp = createInstantFormatter()
    return (cell) => (cell === null ? null : stamp(Number(cell)))
  })
}

export function formatCsvHead(columns: DataSetColumn[], dialect: CsvDialect): string {
  const { separator } = DIALECTS[dialect]
  // The byte order mark by which French spreadsheets recognise UTF-8; other programs would read it as a character.
  return `${dialect === 'french' ? '\uFEFF' : ''}${columns.map(({ name }) => name).join(separator)}\r\n`
}

export function formatCsvRows(columns: DataSetColumn[], data: ColumnTable | PackedDays, name: CsvDialect): string {
  const dialect = DIALECTS[name]
  const { size, columns: cells } = expandColumns(data)
  const read = createCellReaders(columns)
  let out = ''
  for (let row = 0; row < size; row++) {
    for (let at = 0; at < columns.length; at++) {
      const cell = read[at]?.(cells[at]?.[row] ?? null) ?? null
      out += (at ? dialect.separator : '') + formatCsvCell(cell, dialect)
    }
    out += '\r\n'
  }
  return out
}

/** JSON Lines: one object per line. */
export function formatJsonLines(columns: DataSetColumn[], data: ColumnTable | PackedDays): string[] {
  const { size, columns: cells } = expandColumns(data)
  const read = createCellReaders(columns)
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`)
  return Array.from({ length: size }, (_, row) => {
    const parts = names.map((name, at) => name + JSON.stringify(read[at]?.(cells[at]?.[row] ?? null) ?? null))
    return `{${parts.join()}}`
  })
}

/** Rows formatted for the preview on screen. */
export function formatPreviewRows(
  columns: DataSetColumn[],
  data: ColumnTable | PackedDays,
  maxRows: number,
): string[][] {
  const { size, columns: cells } = expandColumns(data)
  const read = createCellReaders(columns)
  return Array.from({ length: Math.min(size, maxRows) }, (_, row) =>
    columns.map((_, at) => {
      const cell = read[at]?.(cells[at]?.[row] ?? null) ?? null
      return cell === null ? '' : String(cell)
    }),
  )
}

/** Rows as JSON arrays, one per line: the input from which the workbook is built. */
export function formatRowLines(columns: DataSetColumn[], data: ColumnTable | PackedDays): string {
  const { size, columns: cells } = expandColumns(data)
  const read = createCellReaders(columns)
  let out = ''
  for (let row = 0; row < size; row++)
    out += `${JSON.stringify(columns.map((_, at) => read[at]?.(cells[at]?.[row] ?? null) ?? null))}\n`
  return out
}
