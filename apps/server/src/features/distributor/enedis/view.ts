import type { EnedisCredential } from '@voisol/contract/enedis'
import { EnedisBackend, EnedisEnvironment } from '@voisol/contract/enedis'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials, operations, syncSettings } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { CredentialRow } from './credentials.ts'
import { getUsedQuotas } from './pace.ts'

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
export async function listCredentials(db: Db, actor: Actor, id?: string): Promise<EnedisCredential[]> {
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
