import type { Operation, OperationQuery } from '@voisol/contract/operations'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Figures, figuresOf } from './figures.ts'

type Query = z.output<typeof OperationQuery>
type Row = typeof operations.$inferSelect

/** The order of the life cycle, not of the alphabet. */
const stage = sql`array_position(array['draft', 'pending', 'active', 'suspended', 'closed'], ${operations.status})`
const SORTS = {
  name: sql`fold(${operations.name})`,
  accNumber: operations.accNumber,
  status: stage,
  city: sql`fold(${operations.city})`,
  startsOn: operations.startsOn,
  createdAt: operations.createdAt,
}
/** Columns that are counted for the operations at hand rather than stored. */
const COUNTED = ['participants', 'consumers', 'producers', 'totalCapacity', 'completeness', 'receivedUntil'] as const
type Counted = (typeof COUNTED)[number]

const toOperation = (row: Row, { plantWatts, ...figures }: Figures) =>
  ({
    ...row,
    ...figures,
    createdAt: row.createdAt.toISOString(),
    totalCapacity: (plantWatts || row.capacityWatts) / 1000,
  }) as Operation // texts and JSON columns hold what the contract let in

export async function withFigures(db: Db, companyId: number, rows: Row[]): Promise<Operation[]> {
  const ids = rows.map((row) => row.id)
  const figures = await figuresOf(db, companyId, ids)
  return rows.map((row) => toOperation(row, figures(row.id)))
}

const filtered = (actor: Actor, { q, status }: Query) =>
  and(
    operationScope(actor),
    status && eq(operations.status, status),
    matches(q, [operations.name, operations.accNumber, operations.city, operations.address, operations.pmoName]),
  )

const read = (db: Db, where: SQL | undefined, sort: string | undefined) =>
  db
    .select()
    .from(operations)
    .where(where)
    .orderBy(orderBy(sort, SORTS, 'name'), asc(operations.id))

const counted = (sort: string | undefined): Counted | undefined =>
  COUNTED.find((column) => column === sort?.replace(/^-/, ''))

/** What is not known comes last, whichever the direction. */
function byCount(items: Operation[], column: Counted, down: boolean): Operation[] {
  const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)
  return items.toSorted((one, other) => {
    const [a, b] = [one[column], other[column]]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return down ? compare(b, a) : compare(a, b)
  })
}

/** The operations asked for in the order asked for, without pages. */
export async function allOperations(db: Db, actor: Actor, query: Query): Promise<Operation[]> {
  const items = await withFigures(db, actor.companyId, await read(db, filtered(actor, query), query.sort))
  const column = counted(query.sort)
  return column ? byCount(items, column, query.sort?.startsWith('-') ?? false) : items
}

async function pageOfOperations(db: Db, actor: Actor, query: Query): Promise<Operation[]> {
  const { limit, offset } = pageOf(query)
  if (counted(query.sort)) return (await allOperations(db, actor, query)).slice(offset, offset + limit)
  const rows = await read(db, filtered(actor, query), query.sort).limit(limit).offset(offset)
  return withFigures(db, actor.companyId, rows)
}

export async function listOperations(db: Db, actor: Actor, { limit, ...rest }: Query) {
  const query = { ...rest, size: limit ?? rest.size }
  const items = await pageOfOperations(db, actor, query)
  const [all] = await db.select({ n: count() }).from(operations).where(filtered(actor, query))
  const total = all?.n ?? 0
  const pagination = { page: query.page, totalPages: Math.ceil(total / query.size), totalItems: total }
  return { items, total, pagination }
}
