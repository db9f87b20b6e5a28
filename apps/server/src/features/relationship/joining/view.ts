import type { Application, ApplicationDetail, joiningDesk } from '@voisol/contract/joining-desk'
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { applications, operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { loadFirstPossibleDay } from './first-day.ts'
import type { ApplicationRow } from './life-cycle.ts'
import { listRemarks } from './remarks.ts'
import { applicationScope } from './scope.ts'

type Query = z.output<typeof joiningDesk.list.query>

/** Applications that wait for a decision first, then those in progress, then the closed ones. */
const stateOrder = sql`array_position(array['waiting', 'verified', 'draft', 'accepted', 'refused', 'withdrawn'], ${applications.state})`
const SORTS = {
  state: stateOrder,
  name: sql`fold(${applications.name})`,
  createdAt: applications.createdAt,
  operation: sql`fold(${operations.name})`,
}

const operationJoin = and(eq(operations.companyId, applications.companyId), eq(operations.id, applications.operationId))

const selectApplications = (db: Db, where: SQL | undefined) =>
  db
    .select({ row: applications, operation: operations.name })
    .from(applications)
    .innerJoin(operations, operationJoin)
    .where(where)

/** The columns contain only values of the contract, since every write validates them. */
export const toApplication = (row: ApplicationRow, operation: string) =>
  ({
    ...row,
    operation,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    signedAt: row.proof?.at ?? null,
    hasPaper: row.fileId !== null,
    createdAt: row.createdAt.toISOString(),
  }) as Application

const buildApplicationFilter = (actor: Actor, { q, operationId, state, kind }: Query) =>
  and(
    applicationScope(actor),
    operationId ? eq(applications.operationId, operationId) : undefined,
    state && eq(applications.state, state),
    kind && eq(applications.kind, kind),
    matchesSearchWords(q, [applications.name, applications.email, applications.prm, applications.city]),
  )

export async function listApplications(db: Db, actor: Actor, query: Query) {
  if (query.operationId) await requireVisibleOperation(db, actor, query.operationId)
  const where = buildApplicationFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectApplications(db, where)
    .orderBy(buildOrderBy(query.sort, SORTS, 'state'), desc(applications.createdAt), applications.id)
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(applications).innerJoin(operations, operationJoin).where(where)
  return { items: rows.map(({ row, operation }) => toApplication(row, operation)), total: all?.n ?? 0 }
}

/** All applications of the user, latest first. */
export async function listOwnApplications(db: Db, actor: Actor): Promise<Application[]> {
  const rows = await selectApplications(db, applicationScope(actor)).orderBy(
    desc(applications.createdAt),
    applications.id,
  )
  return rows.map(({ row, operation }) => toApplication(row, operation))
}

export async function loadApplicationRow(db: Db, actor: Actor, id: string): Promise<ApplicationRow> {
  const [row] = await db
    .select()
    .from(applications)
    .where(and(applicationScope(actor), eq(applications.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export async function lockApplication(tx: Db, actor: Actor, id: string): Promise<ApplicationRow> {
  const [row] = await tx
    .select()
    .from(applications)
    .where(and(applicationScope(actor), eq(applications.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function loadApplication(db: Db, actor: Actor, id: string): Promise<ApplicationDetail> {
  const [found] = await selectApplications(db, and(applicationScope(actor), eq(applications.id, id)))
  if (!found) throw new AppError('not-found')
  const { row, operation } = found
  const firstOn = await loadFirstPossibleDay(db, row)
  const remarks = row.state === 'waiting' ? await listRemarks(db, actor, row, firstOn) : []
  return { ...toApplication(row, operation), proof: row.proof, firstOn, remarks }
}
