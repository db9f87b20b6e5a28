import type { CsvDialect, ExportFormat } from '@voisol/contract/exports'
import type { TaskResult } from '../../../workers/task.ts'
import type { ColumnTable, DataSetColumn, PackedDays } from './data-set.ts'
import { formatCsvRows, formatJsonLines, formatRowLines } from './encode-csv-and-json.ts'
import { encodeGroup } from './encode-parquet.ts'

export type EncodeInput = {
  columns: DataSetColumn[]
  data: ColumnTable | PackedDays
  format: ExportFormat
  dialect: CsvDialect
  /** Whether the file already has rows before these. */
  further: boolean
}
export type EncodedPart = { bytes: Uint8Array<ArrayBuffer>; about: Uint8Array<ArrayBuffer> | null }

const encodeText = ({ columns, data, format, dialect, further }: EncodeInput): string => {
  if (format === 'csv') return formatCsvRows(columns, data, dialect)
  if (format === 'xlsx') return formatRowLines(columns, data)
  const lines = formatJsonLines(columns, data)
  return format === 'jsonl' ? `${lines.join('\n')}\n` : `${further ? ',' : ''}\n${lines.join(',\n')}`
}

/** Encodes rows in a worker thread: 100,000 of them would block the event loop. */
export default function encodeTask(encoding: EncodeInput): TaskResult<EncodedPart> {
  if (encoding.format === 'parquet') {
    const { bytes, about } = encodeGroup(encoding.columns, encoding.data)
    return { value: { bytes, about }, moved: [bytes.buffer, about.buffer] }
  }
  const bytes = new Uint8Array(new TextEncoder().encode(encodeText(encoding)))
  return { value: { bytes, about: null }, moved: [bytes.buffer] }
}
