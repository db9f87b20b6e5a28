import type { Parsed } from '@voisol/contract/endpoint'
import type { sync as endpoints, SyncTask, SyncWindow } from '@voisol/contract/sync'
import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { pointSeat } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
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
import { taskScope } from './scope.ts'
import { countsOf } from './settle-tasks.ts'

type Query = Parsed<typeof endpoints.tasks>['query']
type WindowQuery = Parsed<typeof endpoints.windows>['query']

const createdBy = sql<string>`coalesce(nullif(trim(concat_ws(' ', ${users.firstName}, ${users.lastName})), ''), ${users.email}, '')`
const SORTS = {
  createdAt: syncTasks.createdAt,
  finishedAt: syncTasks.finishedAt,
  kind: syncTasks.kind,
  status: syncTasks.status,
  from: syncTasks.from,
  points: syncTasks.points,
  operationName: sql`fold(${operations.name})`,
}

const read = (db: Db, where: SQL | undefined) =>
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
type Read = Awaited<ReturnType<typeof read>>[number]

function toTask({ row, operationName, environment, createdBy: name }: Read): SyncTask {
  const { kind, trigger, status } = row as Pick<SyncTask, 'kind' | 'trigger' | 'status'> // what was written here
  const counts = countsOf(row)
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

export async function listTasks(db: Db, actor: Actor, query: Query) {
  const where = and(
    taskScope(actor),
    query.status && eq(syncTasks.status, query.status),
    query.kind && eq(syncTasks.kind, query.kind),
    query.operationId ? eq(syncTasks.operationId, query.operationId) : undefined,
    matches(query.q, [operations.name, syncTasks.message]),
  )
  const { limit, offset } = pageOf(query)
  const rows = await read(db, where)
    .orderBy(orderBy(query.sort, SORTS, '-createdAt'), asc(syncTasks.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(syncTasks)
    .innerJoin(operations, and(eq(operations.companyId, syncTasks.companyId), eq(operations.id, syncTasks.operationId)))
    .where(where)
  return { items: rows.map(toTask), total: all?.n ?? 0 }
}

export async function getTask(db: Db, actor: Actor, id: string): Promise<SyncTask> {
  const [row] = await read(db, and(taskScope(actor), eq(syncTasks.id, id)))
  if (!row) throw new AppError('not-found')
  return toTask(row)
}

export async function lastTaskOf(db: Db, actor: Actor, operationId: string): Promise<SyncTask | null> {
  const [row] = await read(db, and(taskScope(actor), eq(syncTasks.operationId, operationId)))
    .orderBy(desc(syncTasks.createdAt), asc(syncTasks.id))
    .limit(1)
  return row ? toTask(row) : null
}

const WINDOW_SORTS = {
  from: syncWindows.from,
  prm: syncWindows.subject,
  status: syncWindows.status,
  nextAt: syncWindows.nextAt,
}
export async function listWindows(db: Db, actor: Actor, taskId: string, query: WindowQuery) {
  await getTask(db, actor, taskId)
  const where = and(
    eq(syncWindows.companyId, actor.companyId),
    eq(syncWindows.taskId, taskId),
    query.status && eq(syncWindows.status, query.status),
    matches(query.q, [syncWindows.subject]),
  )
  const { limit, offset } = pageOf(query)
  const rows = await db
    .select({ row: syncWindows, label: pointSeat(actor.companyId, sql`points`), storage: points.storage })
    .from(syncWindows)
    .leftJoin(points, and(eq(points.companyId, syncWindows.companyId), eq(points.id, syncWindows.pointId)))
    .where(where)
    .orderBy(orderBy(query.sort, WINDOW_SORTS, 'from'), asc(syncWindows.subject), asc(syncWindows.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(syncWindows).where(where)
  const attempts = await attemptsOf(
    db,
    actor,
    rows.map(({ row }) => row.id),
  )
  return { items: rows.map((one) => toWindow(one, attempts.get(one.row.id) ?? [])), total: all?.n ?? 0 }
}

type Attempt = SyncWindow['attempts'][number]

async function attemptsOf(db: Db, actor: Actor, ids: string[]): Promise<Map<string, Attempt[]>> {
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

function toWindow(
  { row, label: name, storage }: { row: typeof syncWindows.$inferSelect; label: string; storage: boolean | null },
  attempts: Attempt[],
): SyncWindow {
  const { status, fault } = row as Pick<SyncWindow, 'status' | 'fault'> // what was written here
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
