import type { CsvDialect, ExportFormat } from '@voisol/contract/exports'
import type { Answer } from '../../../compute/task.ts'
import type { Column, Table } from './data-set.ts'
import { encodeGroup } from './encode-parquet.ts'
import { csvText, jsonLines, rowLines } from './encode-text.ts'
import type { PackedDays } from './packed.ts'

export type Encoding = {
  columns: Column[]
  data: Table | PackedDays
  format: ExportFormat
  dialect: CsvDialect
  /** Whether rows stand before these. */
  further: boolean
}
export type Encoded = { bytes: Uint8Array<ArrayBuffer>; about: Uint8Array<ArrayBuffer> | null }

const textOf = ({ columns, data, format, dialect, further }: Encoding): string => {
  if (format === 'csv') return csvText(columns, data, dialect)
  if (format === 'xlsx') return rowLines(columns, data)
  const lines = jsonLines(columns, data)
  return format === 'jsonl' ? `${lines.join('\n')}\n` : `${further ? ',' : ''}\n${lines.join(',\n')}`
}

/** Rows as bytes of a file: in a thread, since a hundred thousand of them would hold up everybody else. */
export default function encode(encoding: Encoding): Answer<Encoded> {
  if (encoding.format === 'parquet') {
    const { bytes, about } = encodeGroup(encoding.columns, encoding.data)
    return { value: { bytes, about }, moved: [bytes.buffer, about.buffer] }
  }
  const bytes = new Uint8Array(new TextEncoder().encode(textOf(encoding)))
  return { value: { bytes, about: null }, moved: [bytes.buffer] }
}
