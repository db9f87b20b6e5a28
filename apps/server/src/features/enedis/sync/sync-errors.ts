import type { ParsedInput } from '@voisol/contract/endpoint'
import type { sync as endpoints, SyncError } from '@voisol/contract/sync'
import { and, asc, count, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { operations, points, syncErrors } from '../../../db/schema/index.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import type { DistributorFault } from '../../../integrations/enedis/enedis-faults.ts'

type LogSyncErrorInput = {
  companyId: number
  fault: DistributorFault
  operationId?: string | null | undefined
  pointId?: string | null | undefined
  /** The number of the point or operation, or the name of the file. */
  subject: string
  taskId?: string | null | undefined
  requestId?: string | undefined
  /** The hash under which the raw answer is archived. */
  sha256?: string | null | undefined
  at: Date
}

/** The remedy, formatted for the end of a message. */
export const formatRemedy = ({ remedy }: Pick<DistributorFault, 'remedy'>) =>
  `À faire\u00a0: ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`

/** One open line per cause and subject: a repetition only increases its count. */
export async function logSyncError(
  tx: Db,
  { companyId, fault, subject, at, ...more }: LogSyncErrorInput,
): Promise<void> {
  const { code, nature } = fault
  const { operationId = null, pointId = null, taskId = null, requestId = '', sha256 = null } = more
  await tx
    .insert(syncErrors)
    .values({
      companyId,
      code,
      nature,
      fault,
      subject,
      operationId,
      pointId,
      taskId,
      requestId,
      sha256,
      firstAt: at,
      lastAt: at,
    })
    .onConflictDoUpdate({
      target: [syncErrors.companyId, syncErrors.code, syncErrors.subject],
      targetWhere: sql`${syncErrors.handledAt} is null`,
      set: {
        times: sql`${syncErrors.times} + 1`,
        lastAt: sql`greatest(${syncErrors.lastAt}, excluded.last_at)`,
        fault,
        operationId,
        pointId,
        taskId,
        requestId,
        sha256,
      },
    })
}

type ErrorQuery = ParsedInput<typeof endpoints.errors>['query']
type HandleErrorsInput = ParsedInput<typeof endpoints.handle>['body']

const SORT_COLUMNS = {
  lastAt: syncErrors.lastAt,
  at: syncErrors.firstAt,
  code: syncErrors.code,
  nature: syncErrors.nature,
  prm: syncErrors.subject,
  times: syncErrors.times,
  operationName: sql`fold(${operations.name})`,
}

const whereHandled = (handled: boolean | undefined): SQL | undefined =>
  handled === undefined ? undefined : handled ? isNotNull(syncErrors.handledAt) : isNull(syncErrors.handledAt)

const syncErrorScope = (actor: Actor) => eq(syncErrors.companyId, actor.companyId)

const buildErrorFilter = (actor: Actor, { q, nature, code, handled, operationId }: ErrorQuery) =>
  and(
    syncErrorScope(actor),
    nature && eq(syncErrors.nature, nature),
    code ? eq(syncErrors.code, code) : undefined,
    operationId ? eq(syncErrors.operationId, operationId) : undefined,
    whereHandled(handled),
    matchesSearchWords(q, [
      syncErrors.code,
      syncErrors.subject,
      sql`${syncErrors.fault}->>'explanation'`,
      operations.name,
    ]),
  )

const operationJoin = and(eq(operations.companyId, syncErrors.companyId), eq(operations.id, syncErrors.operationId))
const selectErrors = (db: Db, actor: Actor, query: ErrorQuery) =>
  db
    .select({ row: syncErrors, operationName: operations.name, label: pointNameOnDaySql(actor.companyId, sql`points`) })
    .from(syncErrors)
    .leftJoin(operations, operationJoin)
    .leftJoin(points, and(eq(points.companyId, syncErrors.companyId), eq(points.id, syncErrors.pointId)))
    .where(buildErrorFilter(actor, query))
    .orderBy(buildOrderBy(query.sort, SORT_COLUMNS, '-lastAt'), asc(syncErrors.id))

type ErrorRow = { row: typeof syncErrors.$inferSelect; operationName: string | null; label: string }

function toSyncError({ row, operationName, label }: ErrorRow): SyncError {
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
    fault: row.fault as SyncError['fault'], // written by logSyncError
    at: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    handledAt: row.handledAt?.toISOString() ?? null,
  }
}

export async function listSyncErrors(db: Db, actor: Actor, query: ErrorQuery) {
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectErrors(db, actor, query).limit(limit).offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(syncErrors)
    .leftJoin(operations, operationJoin)
    .where(buildErrorFilter(actor, query))
  return { items: rows.map(toSyncError), total: all?.n ?? 0 }
}

/** The same rows in the same order, without pagination. */
export const listAllSyncErrors = async (db: Db, actor: Actor, query: ErrorQuery) =>
  (await selectErrors(db, actor, query)).map(toSyncError)

export async function listErrorGroups(db: Db, actor: Actor, handled: boolean | undefined) {
  const { rows } = await db.execute<{ fault: SyncError['fault']; errors: number; points: number; lastAt: string }>(sql`
    select (array_agg(fault order by last_at desc))[1] as fault, sum(times)::int as errors,
           count(distinct subject) filter (where subject ~ '^[0-9]{14}$')::int as points, extract(epoch from max(last_at)) * 1000 as "lastAt"
      from sync_errors where ${and(syncErrorScope(actor), whereHandled(handled))}
     group by code order by max(last_at) desc`)
  return { items: rows.map((row) => ({ ...row, lastAt: new Date(Number(row.lastAt)).toISOString() })) }
}

/** Marks the given lines, or all open ones of a cause, as handled. */
export async function markErrorsHandled(tx: Db, actor: Actor, { ids, code }: HandleErrorsInput): Promise<number> {
  if (!ids.length && !code) throw fieldError('ids', 'Indiquez les erreurs, ou le code de leur cause.')
  const handledBy = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  const done = await tx
    .update(syncErrors)
    .set({ handledAt: new Date(), handledBy })
    .where(
      and(
        syncErrorScope(actor),
        isNull(syncErrors.handledAt),
        ids.length ? inArray(syncErrors.id, ids) : undefined,
        code ? eq(syncErrors.code, code) : undefined,
      ),
    )
    .returning({ id: syncErrors.id })
  return done.length
}

const NATURE_LABELS: Record<SyncError['fault']['nature'], string> = {
  quota: 'Quota',
  auth: 'Identifiants',
  consent: 'Accord',
  'no-data': 'Sans donnée',
  request: 'Demande',
  transient: 'Panne passagère',
  answer: 'Réponse écartée',
}
const HEADER = [
  'Première fois',
  'Dernière fois',
  'Nombre',
  'Code',
  'Nature',
  'Opération',
  'Point ou fichier',
  'Nom du point',
  'Message',
  'Explication',
  'À faire',
  'Référence',
  'Traitée le',
  'Traitée par',
]
const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'Europe/Paris',
})
const formatParisTime = (instant: string | null) => (instant ? DATE_TIME_FORMAT.format(new Date(instant)) : '')

export const buildErrorsFile = (errors: SyncError[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'erreurs-enedis',
    format,
    HEADER,
    errors.map(({ fault, ...row }) => [
      formatParisTime(row.at),
      formatParisTime(row.lastAt),
      row.times,
      fault.code,
      NATURE_LABELS[fault.nature],
      row.operationName,
      row.prm,
      row.label,
      fault.message,
      fault.explanation,
      fault.remedy,
      row.requestId,
      formatParisTime(row.handledAt),
      row.handledBy,
    ]),
  )
