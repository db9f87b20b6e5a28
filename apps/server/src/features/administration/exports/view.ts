import { DATA_SETS } from '@voisol/contract/data-sets'
import type { DataExport } from '@voisol/contract/exports'
import type { ListQuery } from '@voisol/contract/list'
import { and, count, desc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matches, pageOf } from '../../../db/list.ts'
import { dataExports, operations, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { toOrder } from './order.ts'
import { exportScope } from './scope.ts'

export type Row = typeof dataExports.$inferSelect

/** Where the file of an export lies. It is made of the row's own place: a row that names another file reads and removes nothing. */
export const exportKey = ({ companyId, id }: Pick<Row, 'companyId' | 'id'>) => `${companyId}/exports/${id}`

type Named = { id: string; name: string }

/** What the filters of some rows are called; what is gone since has no name. */
export async function namesOf(db: Db, companyId: number, rows: Pick<Row, 'operationId' | 'participantId'>[]) {
  const known = new Map<string, Named>()
  const wanted = {
    operations: rows.flatMap((row) => row.operationId ?? []),
    people: rows.flatMap((row) => row.participantId ?? []),
  }
  const found = [
    wanted.operations.length
      ? await db
          .select({ id: operations.id, name: operations.name })
          .from(operations)
          .where(and(eq(operations.companyId, companyId), inArray(operations.id, wanted.operations)))
      : [],
    wanted.people.length
      ? await db
          .select({ id: participants.id, name: participants.name })
          .from(participants)
          .where(and(eq(participants.companyId, companyId), inArray(participants.id, wanted.people)))
      : [],
  ].flat()
  for (const one of found) known.set(one.id, one)
  return (id: string | null) => (id === null ? null : (known.get(id) ?? { id, name: '' }))
}

export async function shown(db: Db, companyId: number, rows: Row[]): Promise<DataExport[]> {
  const nameOf = await namesOf(db, companyId, rows)
  return rows.map((row) => {
    const { dataSet, format, dialect } = toOrder(row)
    const { id, from, to, name, rows: done, expected, bytes, failure, askedBy, version } = row
    return {
      id,
      dataSet,
      label: DATA_SETS[dataSet].label,
      from,
      to,
      operation: nameOf(row.operationId),
      participant: nameOf(row.participantId),
      format,
      dialect,
      name,
      state: row.state as DataExport['state'], // checked by the table
      rows: done,
      expected,
      bytes,
      failure,
      askedBy,
      createdAt: row.createdAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      version,
    }
  })
}

export async function showOne(db: Db, row: Row): Promise<DataExport> {
  const [one] = await shown(db, row.companyId, [row])
  if (!one) throw new AppError('not-found')
  return one
}

type Query = ListQuery & { state?: DataExport['state'] | undefined }
export async function listExports(db: Db, actor: Actor, query: Query) {
  const where = and(
    exportScope(actor),
    query.state ? eq(dataExports.state, query.state) : undefined,
    matches(query.q, [dataExports.name]),
  )
  const { limit, offset } = pageOf(query)
  const rows = await db
    .select()
    .from(dataExports)
    .where(where)
    .orderBy(desc(dataExports.createdAt), dataExports.id)
    .limit(limit)
    .offset(offset)
  const [sum] = await db.select({ n: count() }).from(dataExports).where(where)
  return { items: await shown(db, actor.companyId, rows), total: sum?.n ?? 0 }
}

export async function findExport(db: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await db
    .select()
    .from(dataExports)
    .where(and(exportScope(actor), eq(dataExports.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}
