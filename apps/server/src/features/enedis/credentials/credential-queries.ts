import { EnedisBackend, type EnedisCredential, EnedisEnvironment } from '@voisol/contract/enedis'
import { addDays } from '@voisol/energy/calendar'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials, operations, syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import type { CredentialRow } from './credentials.ts'
import { getUsedQuotas } from './rate-limits.ts'

export const credentialScope = (actor: Actor) => eq(enedisCredentials.companyId, actor.companyId)

const CIRCUIT_STATES = ['closed', 'open', 'half-open'] as const
const DEFAULT_HOUR = 8

/** The next time at which it is that hour in Paris. */
export function getNextHour(hour: number, now = Temporal.Now.zonedDateTimeISO('Europe/Paris')): string {
  const at = now.with({ hour, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })
  const next = Temporal.ZonedDateTime.compare(at, now) > 0 ? at : at.add({ days: 1 })
  return next.toInstant().toString()
}

/** Null when no automatic sync is configured. */
async function loadNextSync(db: Db, companyId: number): Promise<string | null> {
  const [row] = await db.select().from(syncSettings).where(eq(syncSettings.companyId, companyId))
  return row && !row.enabled ? null : getNextHour(row?.hour ?? DEFAULT_HOUR)
}

/** Who caused the pause: the distributor's request, or the circuit breaker after failures or refusals. */
function getPauseCause(
  { pausedUntil, toldUntil, refusingSince }: CredentialRow,
  now: Date,
): EnedisCredential['pauseCause'] {
  if (!pausedUntil || pausedUntil <= now) return null
  if (toldUntil && toldUntil >= pausedUntil) return 'told'
  return refusingSince ? 'refusals' : 'failures'
}

type CredentialWithOperation = CredentialRow & { operationName: string | null }
function toCredential(row: CredentialWithOperation, nextSyncAt: string | null, now = new Date()): EnedisCredential {
  const { id, operationId, hint, testOk, testMessage, version } = row
  return {
    id,
    operationId,
    hint,
    testOk,
    testMessage,
    version,
    nextSyncAt,
    operationName: row.operationName ?? '',
    environment: EnedisEnvironment.parse(row.environment),
    backend: EnedisBackend.parse(row.backend),
    testedAt: row.testedAt?.toISOString() ?? null,
    circuit: CIRCUIT_STATES.find((circuit) => circuit === row.circuit) ?? 'closed',
    pausedUntil: row.pausedUntil && row.pausedUntil > now ? row.pausedUntil.toISOString() : null,
    pauseCause: getPauseCause(row, now),
    quotas: getUsedQuotas(row, now),
    lastSyncAt: row.lastSyncAt?.toISOString() ?? null,
  }
}

/** The company's credential first, then by operation. */
async function listCredentials(db: Db, actor: Actor, id?: string): Promise<EnedisCredential[]> {
  const rows = await db
    .select({ ...getTableColumns(enedisCredentials), operationName: operations.name })
    .from(enedisCredentials)
    .leftJoin(
      operations,
      and(eq(operations.companyId, enedisCredentials.companyId), eq(operations.id, enedisCredentials.operationId)),
    )
    .where(and(credentialScope(actor), id ? eq(enedisCredentials.id, id) : undefined))
    .orderBy(sql`${enedisCredentials.operationId} is not null`, sql`fold(${operations.name})`)
  const nextSyncAt = await loadNextSync(db, actor.companyId)
  return rows.map((row) => toCredential(row, nextSyncAt))
}

export async function loadCredentialView(db: Db, actor: Actor, id: string): Promise<EnedisCredential> {
  const [found] = await listCredentials(db, actor, id)
  if (!found) throw new AppError('not-found')
  return found
}

export async function loadCredential(db: Db, actor: Actor, id: string): Promise<CredentialRow> {
  const [row] = await db
    .select()
    .from(enedisCredentials)
    .where(and(credentialScope(actor), eq(enedisCredentials.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

const SOON_DAYS = 60

type ConsentCounts = { points: number; active: number; expiring: number; lost: number; last: string | null }

/**
 * Points taking part today in a running operation, and the end of the permission to read each: that of the latest
 * consent, or of the access reported by the distributor. A point without either is not counted.
 */
async function loadConsentCounts(db: Db, companyId: number, on: string): Promise<ConsentCounts> {
  const { rows } = await db.execute<ConsentCounts>(sql`
    with members as (
      select distinct p.point_id, p.participant_id from participations p
        join operations o on o.company_id = p.company_id and o.id = p.operation_id and o.status = 'active'
       where p.company_id = ${companyId} and p.starts_on <= ${on} and (p.ends_on is null or p.ends_on > ${on})),
    standing as (
      select m.point_id, l.blocked_at is not null or c.withdrawn_at is not null as stopped,
             least(c.expires_on, l.access_until) as until,
             (select d.day from curve_days d where d.company_id = ${companyId} and d.point_id = m.point_id
                 and d.superseded_at is null and d.present > 0 order by d.day desc limit 1) as last
        from members m
        left join point_links l on l.company_id = ${companyId} and l.point_id = m.point_id
        left join lateral (
          select withdrawn_at, expires_on from consents
           where company_id = ${companyId} and participant_id = m.participant_id and purpose = 'collection'
           order by given_at desc limit 1) c on true)
    select count(*)::int as points, max(last)::text as last,
           count(*) filter (where not stopped and until > ${addDays(on, SOON_DAYS)})::int as active,
           count(*) filter (where not stopped and until > ${on} and until <= ${addDays(on, SOON_DAYS)})::int as expiring,
           count(*) filter (where stopped or until <= ${on})::int as lost
      from standing`)
  return rows[0] ?? { points: 0, active: 0, expiring: 0, lost: 0, last: null }
}

async function loadErrorAndTaskCounts(db: Db, companyId: number) {
  const { rows } = await db.execute<{ errors: number; tasks: number }>(sql`
    select (select count(*) from sync_errors where company_id = ${companyId} and handled_at is null)::int as errors,
           (select count(*) from sync_tasks
             where company_id = ${companyId} and status in ('waiting', 'running'))::int as tasks`)
  return rows[0] ?? { errors: 0, tasks: 0 }
}

export async function loadEnedisOverview(db: Db, { hosts }: Deps['enedis'], actor: Actor) {
  const [credentials, { points, last, ...consents }, { errors, tasks }] = await Promise.all([
    listCredentials(db, actor),
    loadConsentCounts(db, actor.companyId, getToday()),
    loadErrorAndTaskCounts(db, actor.companyId),
  ])
  return {
    credentials,
    points,
    consents,
    openErrors: errors,
    runningTasks: tasks,
    receivedUntil: last,
    sandboxUrl: hosts.local,
  }
}
