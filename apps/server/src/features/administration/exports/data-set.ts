import type { DataColumn } from '@voisol/contract/feed'
import { dayStart } from '@voisol/energy/calendar'
import { and, gte, lt, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import type { PackedDays } from './packed.ts'

/** Days are written as such, moments in UTC, cents and watt-minutes are whole numbers. */
export type ColumnType = 'text' | 'integer' | 'integer32' | 'number' | 'day' | 'instant'
export type DataSetColumn = DataColumn & { type: ColumnType }
/** A moment is its milliseconds. */
export type DataCell = string | number | null
/** Column by column: thousands of rows cross to a thread as a handful of arrays. */
export type ColumnTable = { kind: 'table'; size: number; columns: DataCell[][] }
/** Some rows, and the place after which the next ones begin. */
export type DataBatch = { cursor: string; size: number; data: ColumnTable | PackedDays }
/** `from` and `to` are empty where the set has no period. */
export type DataSetQuery = {
  db: Db
  actor: Actor
  from: string
  to: string
  operationId: string | null
  participantId: string | null
}
/** How a data set is read: from anywhere on, some rows at a time, whatever there is of them. */
export type DataSetSource = {
  about: string
  columns: DataSetColumn[]
  read(asking: DataSetQuery, after: string): AsyncIterable<DataBatch>
  /** About how many rows there are. */
  count(asking: DataSetQuery): Promise<number>
}

const createColumn =
  (type: ColumnType) =>
  (name: string, about: string, unit = ''): DataSetColumn => ({ name, type, unit, about })
export const textColumn = createColumn('text')
export const dayColumn = createColumn('day')
export const integerColumn = createColumn('integer')
/** Where millions of them are written: it fits into four bytes. */
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

/** As many as a page of a database and a group of a file hold well. */
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

/** By key, so that a page costs the same wherever it stands, and so that a reading goes on where it was cut. */
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

const getDayStart = (local: string) => new Date(dayStart(local) * 60_000)
/** The same of a moment: days are those of Paris. */
export const whereInstantInPeriod = (column: PgColumn, { from, to }: DataSetQuery): SQL | undefined =>
  and(from ? gte(column, getDayStart(from)) : undefined, to ? lt(column, getDayStart(to)) : undefined)
