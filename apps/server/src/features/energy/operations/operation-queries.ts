import type { Operation, OperationQuery } from '@voisol/contract/operations'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type OperationRow, operationScope, requireVisibleOperation } from '../../../core/access-scopes.ts'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { loadOperationFigures, type OperationListFigures } from './operation-figures.ts'

type ListOperationsQuery = z.output<typeof OperationQuery>
type OperationDbRow = typeof operations.$inferSelect

/** Sorted by life cycle, not alphabetically. */
const statusOrder = sql`array_position(array['draft', 'pending', 'active', 'suspended', 'closed'], ${operations.status})`
const OPERATION_SORTS = {
  name: sql`fold(${operations.name})`,
  accNumber: operations.accNumber,
  status: statusOrder,
  city: sql`fold(${operations.city})`,
  startsOn: operations.startsOn,
  createdAt: operations.createdAt,
}
/** Columns computed for the listed operations and not stored. */
const COUNTED_COLUMNS = [
  'participants',
  'consumers',
  'producers',
  'totalCapacity',
  'completeness',
  'receivedUntil',
] as const
type CountedColumn = (typeof COUNTED_COLUMNS)[number]

const toOperationView = (row: OperationDbRow, { plantWatts, ...figures }: OperationListFigures) =>
  ({
    ...row,
    ...figures,
    createdAt: row.createdAt.toISOString(),
    totalCapacity: (plantWatts || row.capacityWatts) / 1000,
  }) as Operation // texts and JSON columns hold what the contract validated

async function addFigures(db: Db, companyId: number, rows: OperationDbRow[]): Promise<Operation[]> {
  const ids = rows.map((row) => row.id)
  const figures = await loadOperationFigures(db, companyId, ids)
  return rows.map((row) => toOperationView(row, figures(row.id)))
}

const matchesQuery = (actor: Actor, { q, status }: ListOperationsQuery) =>
  and(
    operationScope(actor),
    status && eq(operations.status, status),
    matchesSearchWords(q, [
      operations.name,
      operations.accNumber,
      operations.city,
      operations.address,
      operations.pmoName,
    ]),
  )

const selectOperations = (db: Db, where: SQL | undefined, sort: string | undefined) =>
  db
    .select()
    .from(operations)
    .where(where)
    .orderBy(buildOrderBy(sort, OPERATION_SORTS, 'name'), asc(operations.id))

const getCountedSort = (sort: string | undefined): CountedColumn | undefined =>
  COUNTED_COLUMNS.find((column) => column === sort?.replace(/^-/, ''))

/** Unknown values come last in both directions. */
function sortByCount(items: Operation[], column: CountedColumn, down: boolean): Operation[] {
  const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)
  return items.toSorted((one, other) => {
    const [a, b] = [one[column], other[column]]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return down ? compare(b, a) : compare(a, b)
  })
}

/** All matching operations in order, without paging. */
export async function listAllOperations(db: Db, actor: Actor, query: ListOperationsQuery): Promise<Operation[]> {
  const items = await addFigures(
    db,
    actor.companyId,
    await selectOperations(db, matchesQuery(actor, query), query.sort),
  )
  const column = getCountedSort(query.sort)
  return column ? sortByCount(items, column, query.sort?.startsWith('-') ?? false) : items
}

async function loadOperationPage(db: Db, actor: Actor, query: ListOperationsQuery): Promise<Operation[]> {
  const { limit, offset } = toLimitOffset(query)
  if (getCountedSort(query.sort)) return (await listAllOperations(db, actor, query)).slice(offset, offset + limit)
  const rows = await selectOperations(db, matchesQuery(actor, query), query.sort).limit(limit).offset(offset)
  return addFigures(db, actor.companyId, rows)
}

export async function listOperations(db: Db, actor: Actor, { limit, ...rest }: ListOperationsQuery) {
  const query = { ...rest, size: limit ?? rest.size }
  const items = await loadOperationPage(db, actor, query)
  const [all] = await db.select({ n: count() }).from(operations).where(matchesQuery(actor, query))
  const total = all?.n ?? 0
  const pagination = { page: query.page, totalPages: Math.ceil(total / query.size), totalItems: total }
  return { items, total, pagination }
}

const isThisOperation = (actor: Actor, id: string) => and(operationScope(actor), eq(operations.id, id))

async function addOwnFigures(db: Db, actor: Actor, row: OperationRow): Promise<Operation> {
  const [operation] = await addFigures(db, actor.companyId, [row])
  if (!operation) throw new AppError('not-found')
  return operation
}

export const loadOperation = async (db: Db, actor: Actor, id: string): Promise<Operation> =>
  addOwnFigures(db, actor, await requireVisibleOperation(db, actor, id))

/** Locked until the transaction ends, so that changes of an operation run one after the other. */
export async function lockReadableOperation(tx: Db, actor: Actor, id: string): Promise<Operation> {
  const [row] = await tx.select().from(operations).where(isThisOperation(actor, id)).for('no key update')
  if (!row) throw new AppError('not-found')
  return addOwnFigures(tx, actor, row)
}

const searchText = searchTextColumn(operations)

export const searchOperations: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({
      id: operations.id,
      name: operations.name,
      accNumber: operations.accNumber,
      city: operations.city,
      text: searchText,
    })
    .from(operations)
    .where(and(operationScope(actor), look.holds(searchText)))
    .orderBy(look.rank(searchText), operations.name, operations.id)
    .limit(look.most)
  return rows.map(({ id, name, accNumber, city, text: words }) => ({
    kind: 'operation',
    id,
    title: name,
    detail: [city, accNumber].filter(Boolean).join(' · '),
    to: `/acc-operations/${id}`,
    text: words,
  }))
}
