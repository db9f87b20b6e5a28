import type { FeedFormat } from '@voisol/contract/feed'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { csvLines } from '../../../files/csv.ts'
import type { ColumnType, FeedColumn, FeedRow, FeedSet } from './feed-sets.ts'

type Rows = AsyncIterable<FeedRow[]>
type Pieces = AsyncGenerator<Uint8Array>

const plain = (value: FeedRow[string] | undefined) => (value instanceof Date ? value.toISOString() : (value ?? null))

async function* csv(columns: FeedColumn[], rows: Rows): Pieces {
  yield Buffer.from(`\uFEFF${csvLines([columns.map(({ name }) => name)])}`)
  for await (const some of rows)
    yield Buffer.from(csvLines(some.map((row) => columns.map(({ name }) => plain(row[name])))))
}

async function* json(columns: FeedColumn[], rows: Rows): Pieces {
  let before = '['
  for await (const some of rows) {
    const texts = some.map((row) =>
      JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, plain(row[name])]))),
    )
    yield Buffer.from(`${before}\n${texts.join(',\n')}`)
    before = ','
  }
  yield Buffer.from(before === '[' ? '[]\n' : '\n]\n')
}

const TYPES: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  day: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
}
const asCell: Record<ColumnType, (value: NonNullable<FeedRow[string]>) => unknown> = {
  text: String,
  day: (value) => new Date(`${value}T00:00:00Z`),
  instant: (value) => value,
  integer: (value) => BigInt(Number(value)),
  number: Number,
}
const schemaOf = (columns: FeedColumn[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...TYPES[type] })),
]

/** Row groups leave as they are made: no more than one of them is in memory. */
async function* parquet(columns: FeedColumn[], rows: Rows): Pieces {
  const writer = new ByteWriter()
  const file = new ParquetWriter({ writer, schema: schemaOf(columns) })
  const taken = () => {
    const piece = new Uint8Array(writer.getBytes())
    writer.index = 0
    return piece
  }
  for await (const some of rows) {
    const columnData = columns.map(({ name, type }) => ({
      name,
      data: some.map((row) => {
        const value = row[name] ?? null
        return value === null ? null : asCell[type](value)
      }),
    }))
    await file.write({ columnData, rowGroupSize: some.length })
    yield taken()
  }
  await file.finish()
  yield taken()
}

const WRITERS = { csv, json, parquet }
export const FEED_TYPES: Record<FeedFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

export const feedPieces = ({ columns }: Pick<FeedSet, 'columns'>, rows: Rows, format: FeedFormat): Pieces =>
  WRITERS[format](columns, rows)
