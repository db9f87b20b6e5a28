import type { DataColumn } from '@voisol/contract/feed'
import { dayStart } from '@voisol/energy/calendar'
import { and, gte, lt, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import type { PackedDays } from './packed.ts'

/** Days are written as such, moments in UTC, cents and watt-minutes are whole numbers. */
export type ColumnType = 'text' | 'integer' | 'integer32' | 'number' | 'day' | 'instant'
export type Column = DataColumn & { type: ColumnType }
/** A moment is its milliseconds. */
export type Cell = string | number | null
/** Column by column: thousands of rows cross to a thread as a handful of arrays. */
export type Table = { kind: 'table'; size: number; columns: Cell[][] }
/** Some rows, and the place after which the next ones begin. */
export type Batch = { cursor: string; size: number; data: Table | PackedDays }
/** `from` and `to` are empty where the set has no period. */
export type Asking = {
  db: Db
  actor: Actor
  from: string
  to: string
  operationId: string | null
  participantId: string | null
}
/** How a data set is read: from anywhere on, some rows at a time, whatever there is of them. */
export type Source = {
  about: string
  columns: Column[]
  read(asking: Asking, after: string): AsyncIterable<Batch>
  /** About how many rows there are. */
  count(asking: Asking): Promise<number>
}

const column =
  (type: ColumnType) =>
  (name: string, about: string, unit = ''): Column => ({ name, type, unit, about })
export const text = column('text')
export const day = column('day')
export const integer = column('integer')
/** Where millions of them are written: it fits into four bytes. */
export const short = column('integer32')
export const decimal = column('number')
export const instant = column('instant')
export const OPERATION = text('operation_id', 'Identifiant de l’opération')
export const PRM = text(
  'prm',
  'Numéro du point de livraison, en texte\u00a0: ses quatorze chiffres ne se calculent pas',
)
export const DIRECTION = text('direction', 'consumption ou production')

export type Row = Record<string, string | number | Date | null>

/** As many as a page of a database and a group of a file hold well. */
export const BATCH = 5000

export const tableOf = (columns: Column[], rows: Row[]): Table => ({
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
export async function* paged<T extends Row>(
  columns: Column[],
  after: string,
  read: (after: string) => Promise<T[]>,
  keyOf: (row: T) => string,
): AsyncGenerator<Batch> {
  for (let cursor = after; ; ) {
    const rows = await read(cursor)
    const last = rows.at(-1)
    if (!last) return
    cursor = keyOf(last)
    yield { cursor, size: rows.length, data: tableOf(columns, rows) }
    if (rows.length < BATCH) return
  }
}

export const within = (column: PgColumn, { from, to }: Asking): SQL | undefined =>
  and(from ? gte(column, from) : undefined, to ? lt(column, to) : undefined)

const startOf = (local: string) => new Date(dayStart(local) * 60_000)
/** The same of a moment: days are those of Paris. */
export const during = (column: PgColumn, { from, to }: Asking): SQL | undefined =>
  and(from ? gte(column, startOf(from)) : undefined, to ? lt(column, startOf(to)) : undefined)
