import type { ParsedInput } from '@voisol/contract/endpoint'
import type { EnedisEnvironment } from '@voisol/contract/enedis'
import type { sync as endpoints, PointSyncStatus, SyncTask, SyncWindow } from '@voisol/contract/sync'
import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { pointNameOnDaySql, pointNameSql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
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
import { findCredentialFor } from '../credentials/index.ts'
import { toTaskCounts } from './task-progress.ts'

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

async function findLastSyncTask(db: Db, actor: Actor, operationId: string): Promise<SyncTask | null> {
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

type PointRow = Omit<PointSyncStatus, 'theirs' | 'arrivalMinutes' | 'blockedAt' | 'storage'> & {
  storage: boolean
  listed: boolean
  theirStart: string | null
  theirEnd: string | null
  mean: number | null
  blocked: string | null
}
type PerimeterRow = {
  prm: string
  direction: PointSyncStatus['direction']
  startsOn: string | null
  endsOn: string | null
  readAt: string
}

/** The latest participation period of each point, with its state at the distributor. */
async function loadPointRows(db: Db, companyId: number, operationId: string): Promise<PointRow[]> {
  const { rows } = await db.execute<PointRow>(sql`
    select * from (
      select distinct on (q.id) q.id as "pointId", q.prm, q.direction, q.storage, ${pointNameSql(sql`q.label`, sql`n.name`)} as label,
             p.starts_on::text as "startsOn", p.ends_on::text as "endsOn",
             t.prm is not null as listed, t.starts_on::text as "theirStart", t.ends_on::text as "theirEnd",
             (select d.day::text from curve_days d where d.company_id = q.company_id and d.point_id = q.id
                and d.superseded_at is null order by d.day desc limit 1) as "receivedUntil",
             extract(epoch from l.blocked_at) * 1000 as blocked,
             case when l.blocked_at is not null then l.fault end as fault,
             l.access_until::text as "accessUntil", l.arrival_mean as mean, coalesce(l.samples, 0) as samples
        from participations p
        join points q on q.company_id = p.company_id and q.id = p.point_id
        join participants n on n.company_id = p.company_id and n.id = p.participant_id
        left join point_links l on l.company_id = q.company_id and l.point_id = q.id
        left join distributor_perimeters t on t.company_id = p.company_id and t.operation_id = p.operation_id
         and t.prm = q.prm and t.direction = q.direction
       where p.company_id = ${companyId} and p.operation_id = ${operationId}
       order by q.id, p.starts_on desc) s
    order by direction desc, fold(label), prm`)
  return rows
}

const toPointStanding = ({
  listed,
  theirStart,
  theirEnd,
  mean,
  blocked,
  storage,
  ...row
}: PointRow): PointSyncStatus => ({
  ...row,
  ...(storage && { storage }),
  theirs: listed ? { startsOn: theirStart, endsOn: theirEnd } : null,
  blockedAt: blocked === null ? null : new Date(Number(blocked)).toISOString(),
  arrivalMinutes: mean,
})

export async function loadOperationSyncStatus(db: Db, actor: Actor, operationId: string) {
  const { companyId } = actor
  await requireVisibleOperation(db, actor, operationId)
  const credential = await findCredentialFor(db, companyId, operationId)
  const points = (await loadPointRows(db, companyId, operationId)).map(toPointStanding)
  const { rows: theirs } = await db.execute<PerimeterRow>(sql`
    select prm, direction, starts_on::text as "startsOn", ends_on::text as "endsOn",
           extract(epoch from read_at) * 1000 as "readAt"
      from distributor_perimeters where company_id = ${companyId} and operation_id = ${operationId} order by direction, prm`)
  const ours = new Set(points.map(({ prm, direction }) => prm + direction))
  const read = theirs.map(({ readAt }) => Number(readAt))
  return {
    credentialId: credential?.id ?? null,
    environment: (credential?.environment ?? null) as EnedisEnvironment | null, // what the contract let in
    lastTask: await findLastSyncTask(db, actor, operationId),
    perimeterAt: read.length ? new Date(Math.max(...read)).toISOString() : null,
    points,
    strangers: theirs.filter(({ prm, direction }) => !ours.has(prm + direction)),
  }
}

/** For administrators only: distributor requests concern all members of the company. */
const syncTaskScope = (actor: Actor) => eq(syncTasks.companyId, actor.companyId)
