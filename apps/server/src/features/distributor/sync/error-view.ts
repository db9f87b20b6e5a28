import type { Parsed } from '@voisol/contract/endpoint'
import type { sync as endpoints, SyncError } from '@voisol/contract/sync'
import { and, asc, count, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { pointSeat } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { operations, points, syncErrors } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { errorScope } from './scope.ts'

type Query = Parsed<typeof endpoints.errors>['query']
type Handle = Parsed<typeof endpoints.handle>['body']

const SORTS = {
  lastAt: syncErrors.lastAt,
  at: syncErrors.firstAt,
  code: syncErrors.code,
  nature: syncErrors.nature,
  prm: syncErrors.subject,
  times: syncErrors.times,
  operationName: sql`fold(${operations.name})`,
}

const handledIs = (handled: boolean | undefined): SQL | undefined =>
  handled === undefined ? undefined : handled ? isNotNull(syncErrors.handledAt) : isNull(syncErrors.handledAt)

const filtered = (actor: Actor, { q, nature, code, handled, operationId }: Query) =>
  and(
    errorScope(actor),
    nature && eq(syncErrors.nature, nature),
    code ? eq(syncErrors.code, code) : undefined,
    operationId ? eq(syncErrors.operationId, operationId) : undefined,
    handledIs(handled),
    matches(q, [syncErrors.code, syncErrors.subject, sql`${syncErrors.fault}->>'explanation'`, operations.name]),
  )

const joined = and(eq(operations.companyId, syncErrors.companyId), eq(operations.id, syncErrors.operationId))
const read = (db: Db, actor: Actor, query: Query) =>
  db
    .select({ row: syncErrors, operationName: operations.name, label: pointSeat(actor.companyId, sql`points`) })
    .from(syncErrors)
    .leftJoin(operations, joined)
    .leftJoin(points, and(eq(points.companyId, syncErrors.companyId), eq(points.id, syncErrors.pointId)))
    .where(filtered(actor, query))
    .orderBy(orderBy(query.sort, SORTS, '-lastAt'), asc(syncErrors.id))

type Read = { row: typeof syncErrors.$inferSelect; operationName: string | null; label: string }

function toError({ row, operationName, label }: Read): SyncError {
  return {
    id: row.id,
    operationId: row.operationId,
    pointId: row.pointId,
    prm: row.subject,
    label,
    taskId: row.taskId,
    requestId: row.requestId,
    sha256: row.sha256,
    times: row.times,
    handledBy: row.handledBy,
    operationName: operationName ?? '',
    fault: row.fault as SyncError['fault'], // what logError wrote
    at: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    handledAt: row.handledAt?.toISOString() ?? null,
  }
}

export async function listErrors(db: Db, actor: Actor, query: Query) {
  const { limit, offset } = pageOf(query)
  const rows = await read(db, actor, query).limit(limit).offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(syncErrors)
    .leftJoin(operations, joined)
    .where(filtered(actor, query))
  return { items: rows.map(toError), total: all?.n ?? 0 }
}

/** The same in the same order, without pages. */
export const allErrors = async (db: Db, actor: Actor, query: Query) => (await read(db, actor, query)).map(toError)

export async function errorGroups(db: Db, actor: Actor, handled: boolean | undefined) {
  const { rows } = await db.execute<{ fault: SyncError['fault']; errors: number; points: number; lastAt: string }>(sql`
    select (array_agg(fault order by last_at desc))[1] as fault, sum(times)::int as errors,
           count(distinct subject) filter (where subject ~ '^[0-9]{14}$')::int as points, extract(epoch from max(last_at)) * 1000 as "lastAt"
      from sync_errors where ${and(errorScope(actor), handledIs(handled))}
     group by code order by max(last_at) desc`)
  return { items: rows.map((row) => ({ ...row, lastAt: new Date(Number(row.lastAt)).toISOString() })) }
}

/** Some lines, or all open ones of a cause. */
export async function handleErrors(tx: Db, actor: Actor, { ids, code }: Handle): Promise<number> {
  if (!ids.length && !code) throw fieldError('ids', 'Indiquez les erreurs, ou le code de leur cause.')
  const handledBy = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  const done = await tx
    .update(syncErrors)
    .set({ handledAt: new Date(), handledBy })
    .where(
      and(
        errorScope(actor),
        isNull(syncErrors.handledAt),
        ids.length ? inArray(syncErrors.id, ids) : undefined,
        code ? eq(syncErrors.code, code) : undefined,
      ),
    )
    .returning({ id: syncErrors.id })
  return done.length
}
