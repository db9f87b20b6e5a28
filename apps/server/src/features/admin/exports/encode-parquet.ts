import { deserialize, serialize } from 'node:v8'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { ColumnTable, ColumnType, DataCell, DataSetColumn, PackedDays } from './data-set.ts'
import { expandColumns } from './packed-days.ts'

const PARQUET_TYPES: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  day: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  integer32: { type: 'INT32' },
  number: { type: 'DOUBLE' },
}
const buildParquetSchema = (columns: DataSetColumn[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...PARQUET_TYPES[type] })),
]

const convertCells = <T>(cells: ArrayLike<DataCell>, convert: (cell: NonNullable<DataCell>) => T) =>
  Array.from(cells, (cell) => (cell === null ? null : convert(cell)))
const DAY_MS = 86_400_000

/** Most columns of a readings file are integers: they are converted without an object per value. */
function toInt64(cells: ArrayLike<DataCell>): BigInt64Array | (bigint | null)[] {
  if (!(cells instanceof Float64Array || cells instanceof Int32Array))
    return convertCells(cells, (cell) => BigInt(Number(cell)))
  const out = new BigInt64Array(cells.length)
  for (let at = 0; at < cells.length; at++) out[at] = BigInt(cells[at] ?? 0)
  return out
}

function toParquetData(type: ColumnType, cells: ArrayLike<DataCell>) {
  if (type === 'text' || type === 'integer32')
    return Array.isArray(cells) || cells instanceof Int32Array ? cells : Array.from(cells)
  if (type === 'day') return convertCells(cells, (cell) => Date.parse(`${cell}T00:00:00Z`) / DAY_MS)
  if (type === 'number') return convertCells(cells, Number)
  return toInt64(cells)
}

/** Sorted instants are stored as differences, which take less space. */
const ENCODINGS: Partial<Record<ColumnType, 'DELTA_BINARY_PACKED'>> = {
  instant: 'DELTA_BINARY_PACKED',
  integer32: 'DELTA_BINARY_PACKED',
}
/** A Parquet file begins with these four bytes. */
export const PARQUET_MAGIC = Buffer.from('PAR1')

/** One row group, with its metadata relative to the beginning of the file. */
type EncodedGroup = { bytes: Uint8Array<ArrayBuffer>; about: Uint8Array<ArrayBuffer> }

export function encodeGroup(columns: DataSetColumn[], data: ColumnTable | PackedDays): EncodedGroup {
  const { size, columns: cells } = expandColumns(data)
  const writer = new ByteWriter()
  const file = new ParquetWriter({ writer, schema: buildParquetSchema(columns), statistics: false })
  const columnData = columns.map(({ name, type }, at) => {
    const encoding = ENCODINGS[type]
    return { name, data: toParquetData(type, cells[at] ?? []), offsetIndex: false, ...(encoding && { encoding }) }
  })
  file.write({ columnData, rowGroupSize: size })
  const [group] = file.row_groups
  const bytes = new Uint8Array(writer.getBytes().slice(PARQUET_MAGIC.length))
  return { bytes, about: new Uint8Array(serialize(group)) }
}

type RowGroup = ParquetWriter['row_groups'][number]

/** Shifts the metadata of a row group to its place in the file. */
export function shiftGroup(about: Uint8Array, place: number): RowGroup {
  const group = deserialize(about) as RowGroup // written by encodeGroup
  const by = BigInt(place - PARQUET_MAGIC.length)
  for (const column of group.columns) {
    column.file_offset += by
    const meta = column.meta_data
    if (!meta) continue
    meta.data_page_offset += by
    if (meta.dictionary_page_offset !== undefined) meta.dictionary_page_offset += by
  }
  return group
}

/** The Parquet footer: the places of the row groups and the meaning of the columns. */
export function buildParquetFooter(columns: DataSetColumn[], groups: RowGroup[], dictionary: string): Uint8Array {
  const writer = new ByteWriter()
  const kvMetadata = [{ key: 'voisol.dictionary', value: dictionary }]
  const file = new ParquetWriter({ writer, schema: buildParquetSchema(columns), kvMetadata })
  file.row_groups = groups
  file.num_rows = groups.reduce((sum, { num_rows }) => sum + num_rows, 0n)
  file.finish()
  return writer.getBytes().slice(PARQUET_MAGIC.length)
}
