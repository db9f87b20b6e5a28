import { DATA_SETS } from '@voisol/contract/data-sets'
import type { DataExport } from '@voisol/contract/exports'
import type { ListQuery } from '@voisol/contract/primitives'
import { and, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { dataExports, exportPlans, operations, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { toExportOrder } from './export-order.ts'

export type ExportRow = typeof dataExports.$inferSelect

/**
 * Storage key of the file of an export. It is derived from the row's own ids, so that a manipulated row cannot read or
 * remove another file.
 */
export const getExportFileKey = ({ companyId, id }: Pick<ExportRow, 'companyId' | 'id'>) => `${companyId}/exports/${id}`

type NamedItem = { id: string; name: string }

/** Names of the filtered operations and participants; a deleted one has no name. */
async function loadFilterNames(db: Db, companyId: number, rows: Pick<ExportRow, 'operationId' | 'participantId'>[]) {
  const known = new Map<string, NamedItem>()
  const ids = {
    operations: rows.flatMap((row) => row.operationId ?? []),
    people: rows.flatMap((row) => row.participantId ?? []),
  }
  const found = [
    ids.operations.length
      ? await db
          .select({ id: operations.id, name: operations.name })
          .from(operations)
          .where(and(eq(operations.companyId, companyId), inArray(operations.id, ids.operations)))
      : [],
    ids.people.length
      ? await db
          .select({ id: participants.id, name: participants.name })
          .from(participants)
          .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids.people)))
      : [],
  ].flat()
  for (const one of found) known.set(one.id, one)
  return (id: string | null) => (id === null ? null : (known.get(id) ?? { id, name: '' }))
}

async function loadExportViews(db: Db, companyId: number, rows: ExportRow[]): Promise<DataExport[]> {
  const findName = await loadFilterNames(db, companyId, rows)
  return rows.map((row) => {
    const { dataSet, format, dialect } = toExportOrder(row)
    const { id, from, to, name, rows: done, expected, bytes, failure, askedBy, version } = row
    return {
      id,
      dataSet,
      label: DATA_SETS[dataSet].label,
      from,
      to,
      operation: findName(row.operationId),
      participant: findName(row.participantId),
      format,
      dialect,
      name,
      state: row.state as DataExport['state'], // the column has a CHECK constraint
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

export async function loadExportView(db: Db, row: ExportRow): Promise<DataExport> {
  const [one] = await loadExportViews(db, row.companyId, [row])
  if (!one) throw new AppError('not-found')
  return one
}

type ListExportsQuery = ListQuery & { state?: DataExport['state'] | undefined }
export async function listExports(db: Db, actor: Actor, query: ListExportsQuery) {
  const where = and(
    exportScope(actor),
    query.state ? eq(dataExports.state, query.state) : undefined,
    matchesSearchWords(query.q, [dataExports.name]),
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select()
    .from(dataExports)
    .where(where)
    .orderBy(desc(dataExports.createdAt), dataExports.id)
    .limit(limit)
    .offset(offset)
  const [sum] = await db.select({ n: count() }).from(dataExports).where(where)
  return { items: await loadExportViews(db, actor.companyId, rows), total: sum?.n ?? 0 }
}

export async function loadExport(db: Db, actor: Actor, id: string): Promise<ExportRow> {
  const [row] = await db
    .select()
    .from(dataExports)
    .where(and(exportScope(actor), eq(dataExports.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

/**
 * Exports are private, because a file holds what its requester could see. An API key sees what it requested; a user
 * limited to fewer operations since then loses the earlier exports.
 */
export const exportScope = (actor: Actor): SQL | undefined =>
  and(
    eq(dataExports.companyId, actor.companyId),
    eq(dataExports.userId, actor.userId),
    actor.keyId ? eq(dataExports.keyId, actor.keyId) : undefined,
    actor.operationIds ? sql`${dataExports.within} <@ ${sql.param([...actor.operationIds])}::uuid[]` : undefined,
  )

/** As for exports, except that the user who created an API key also sees what the key planned. */
export const exportPlanScope = (actor: Actor): SQL | undefined =>
  and(
    eq(exportPlans.companyId, actor.companyId),
    eq(exportPlans.makerId, actor.userId),
    actor.keyId ? eq(exportPlans.keyId, actor.keyId) : undefined,
    withinOperationLimit(actor, exportPlans.operationId),
  )
