import type { ParsedInput } from '@voisol/contract/endpoint'
import type { sync as endpoints, SyncTask, SyncWindow } from '@voisol/contract/sync'
import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { pointNameOnDaySql } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import {
  enedisCredentials,
  operations,
  points,
  syncAttempts,
  syncTasks,
  syncWindows,
  users,
} from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { syncTaskScope } from './scope.ts'
import { toTaskCounts } from './settle-tasks.ts'

type TaskQuery = ParsedInput<typeof endpoints.tasks>['query']
type WindowQuery = ParsedInput<typeof endpoints.windows>['query']

const createdBy = sql<string>`coalesce(nullif(trim(concat_ws(' ', ${users.firstName}, ${users.lastName})), ''), ${users.email}, '')`
const SORT_COLUMNS = {
  createdAt: syncTasks.createdAt,
  finishedAt: syncTasks.finishedAt,
  kind: syncTasks.kind,
  status: syncTasks.status,
  from: syncTasks.from,
  points: syncTasks.points,
  operationName: sql`fold(${operations.name})`,
}

const selectTasks = (db: Db, where: SQL | undefined) =>
  db
    .select({ row: syncTasks, operationName: operations.name, environment: enedisCredentials.environment, createdBy })
    .from(syncTasks)
    .innerJoin(operations, and(eq(operations.companyId, syncTasks.companyId), eq(operations.id, syncTasks.operationId)))
    .innerJoin(
      enedisCredentials,
      and(eq(enedisCredentials.companyId, syncTasks.companyId), eq(enedisCredentials.id, syncTasks.credentialId)),
    )
    .leftJoin(users, eq(users.id, syncTasks.createdBy))
    .where(where)
type TaskWithNames = Awaited<ReturnType<typeof selectTasks>>[number]

function toSyncTask({ row, operationName, environment, createdBy: name }: TaskWithNames): SyncTask {
  const { kind, trigger, status } = row as Pick<SyncTask, 'kind' | 'trigger' | 'status'> // written by this feature
  const counts = toTaskCounts(row)
  const over = counts.done + counts.failed
  return {
    id: row.id,
    kind,
    trigger,
    status,
    operationId: row.operationId,
    operationName,
    environment,
    counts,
    points: row.points,
    from: row.from,
    to: row.to,
    message: row.message,
    createdBy: name,
    progress: row.finishedAt ? 100 : counts.windows ? Math.min(99, Math.floor((over / counts.windows) * 100)) : 0,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

export async function listSyncTasks(db: Db, actor: Actor, query: TaskQuery) {
  const where = and(
    syncTaskScope(actor),
    query.status && eq(syncTasks.status, query.status),
    query.kind && eq(syncTasks.kind, query.kind),
    query.operationId ? eq(syncTasks.operationId, query.operationId) : undefined,
    matchesSearchWords(query.q, [operations.name, syncTasks.message]),
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectTasks(db, where)
    .orderBy(buildOrderBy(query.sort, SORT_COLUMNS, '-createdAt'), asc(syncTasks.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(syncTasks)
    .innerJoin(operations, and(eq(operations.companyId, syncTasks.companyId), eq(operations.id, syncTasks.operationId)))
    .where(where)
  return { items: rows.map(toSyncTask), total: all?.n ?? 0 }
}

export async function loadSyncTask(db: Db, actor: Actor, id: string): Promise<SyncTask> {
  const [row] = await selectTasks(db, and(syncTaskScope(actor), eq(syncTasks.id, id)))
  if (!row) throw new AppError('not-found')
  return toSyncTask(row)
}

export async function findLastSyncTask(db: Db, actor: Actor, operationId: string): Promise<SyncTask | null> {
  const [row] = await selectTasks(db, and(syncTaskScope(actor), eq(syncTasks.operationId, operationId)))
    .orderBy(desc(syncTasks.createdAt), asc(syncTasks.id))
    .limit(1)
  return row ? toSyncTask(row) : null
}

const WINDOW_SORT_COLUMNS = {
  from: syncWindows.from,
  prm: syncWindows.subject,
  status: syncWindows.status,
  nextAt: syncWindows.nextAt,
}
export async function listSyncWindows(db: Db, actor: Actor, taskId: string, query: WindowQuery) {
  await loadSyncTask(db, actor, taskId)
  const where = and(
    eq(syncWindows.companyId, actor.companyId),
    eq(syncWindows.taskId, taskId),
    query.status && eq(syncWindows.status, query.status),
    matchesSearchWords(query.q, [syncWindows.subject]),
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select({ row: syncWindows, label: pointNameOnDaySql(actor.companyId, sql`points`), storage: points.storage })
    .from(syncWindows)
    .leftJoin(points, and(eq(points.companyId, syncWindows.companyId), eq(points.id, syncWindows.pointId)))
    .where(where)
    .orderBy(buildOrderBy(query.sort, WINDOW_SORT_COLUMNS, 'from'), asc(syncWindows.subject), asc(syncWindows.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(syncWindows).where(where)
  const attempts = await loadAttempts(
    db,
    actor,
    rows.map(({ row }) => row.id),
  )
  return { items: rows.map((one) => toSyncWindow(one, attempts.get(one.row.id) ?? [])), total: all?.n ?? 0 }
}

type Attempt = SyncWindow['attempts'][number]

async function loadAttempts(db: Db, actor: Actor, ids: string[]): Promise<Map<string, Attempt[]>> {
  if (!ids.length) return new Map()
  const rows = await db
    .select()
    .from(syncAttempts)
    .where(and(eq(syncAttempts.companyId, actor.companyId), inArray(syncAttempts.windowId, ids)))
    .orderBy(asc(syncAttempts.at), asc(syncAttempts.id))
  const found = new Map<string, Attempt[]>(ids.map((id) => [id, []]))
  for (const { windowId, at, request, status, code, requestId, milliseconds, sha256 } of rows)
    found.get(windowId)?.push({ at: at.toISOString(), request, status, code, requestId, milliseconds, sha256 })
  return found
}

function toSyncWindow(
  { row, label: name, storage }: { row: typeof syncWindows.$inferSelect; label: string; storage: boolean | null },
  attempts: Attempt[],
): SyncWindow {
  const { status, fault } = row as Pick<SyncWindow, 'status' | 'fault'> // values written by this feature
  return {
    id: row.id,
    pointId: row.pointId,
    prm: row.subject,
    label: name,
    ...(storage && { storage }),
    from: row.from,
    to: row.to,
    status,
    fault,
    attempts,
    direction: (row.direction || null) as SyncWindow['direction'], // one of the two, or empty
    nextAt: status === 'waiting' ? row.nextAt.toISOString() : null,
  }
}
