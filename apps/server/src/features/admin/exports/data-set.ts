import type { DataColumn } from '@voisol/contract/feed'

import { and, gte, lt, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'

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

/** Days are ISO dates, instants are UTC; cents and watt-minutes are integers. */
export type ColumnType = 'text' | 'integer' | 'integer32' | 'number' | 'day' | 'instant'
export type DataSetColumn = DataColumn & { type: ColumnType }
/** An instant is a number of milliseconds since the epoch. */
export type DataCell = string | number | null
/** Column by column: thousands of rows are sent to a worker thread as a handful of arrays. */
export type ColumnTable = { kind: 'table'; size: number; columns: DataCell[][] }
/** A batch of rows, and the cursor after which the next batch begins. */
export type DataBatch = { cursor: string; size: number; data: ColumnTable | PackedDays }
/** `from` and `to` are empty for a data set without a period. */
export type DataSetQuery = {
  db: Db
  actor: Actor
  from: string
  to: string
  operationId: string | null
  participantId: string | null
}
/** How a data set is read: in batches of rows, from any cursor. */
export type DataSetSource = {
  about: string
  columns: DataSetColumn[]
  read(asking: DataSetQuery, after: string): AsyncIterable<DataBatch>
  /** Estimated number of rows. */
  count(asking: DataSetQuery): Promise<number>
}

const createColumn =
  (type: ColumnType) =>
  (name: string, about: string, unit = ''): DataSetColumn => ({ name, type, unit, about })
export const textColumn = createColumn('text')
export const dayColumn = createColumn('day')
export const integerColumn = createColumn('integer')
/** For columns with millions of values, each of which fits into 32 bits. */
export const int32Column = createColumn('integer32')
export const decimalColumn = createColumn('number')
export const instantColumn = createColumn('instant')
export const OPERATION_COLUMN = textColumn('operation_id', 'Identifiant de l’opération')
export const PRM_COLUMN = textColumn(
  'prm',
  'Numéro du point de livraison, en texte\u00a0: ses quatorze chiffres ne se calculent pas',
)
export const DIRECTION_COLUMN = textColumn('direction', 'consumption ou production')

export type DataRow = Record<string, string | number | Date | null>

/** A size that suits a database page and a Parquet row group. */
export const ROWS_PER_BATCH = 5000

export const toColumnTable = (columns: DataSetColumn[], rows: DataRow[]): ColumnTable => ({
  kind: 'table',
  size: rows.length,
  columns: columns.map(({ name }) =>
    rows.map((row) => {
      const cell = row[name] ?? null
      return cell instanceof Date ? cell.getTime() : cell
    }),
  ),
})

/** Keyset pagination: a page costs the same at any depth, and an interrupted read can resume. */
export async function* readPages<T extends DataRow>(
  columns: DataSetColumn[],
  after: string,
  read: (after: string) => Promise<T[]>,
  keyOf: (row: T) => string,
): AsyncGenerator<DataBatch> {
  for (let cursor = after; ; ) {
    const rows = await read(cursor)
    const last = rows.at(-1)
    if (!last) return
    cursor = keyOf(last)
    yield { cursor, size: rows.length, data: toColumnTable(columns, rows) }
    if (rows.length < ROWS_PER_BATCH) return
  }
}

export const whereDayInPeriod = (column: PgColumn, { from, to }: DataSetQuery): SQL | undefined =>
  and(from ? gte(column, from) : undefined, to ? lt(column, to) : undefined)
