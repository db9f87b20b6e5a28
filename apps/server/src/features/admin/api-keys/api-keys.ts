import type { ApiKey, ApiKeyQuery, NewApiKey } from '@voisol/contract/api-keys'
import { isPermission } from '@voisol/contract/permissions'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperations } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { apiKeys, users } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { generateApiKey } from '../../../http/api-key.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { sha256 } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { lockConfirmedAccount } from '../../identity/auth/index.ts'
import { requireGrantablePermissions } from '../../identity/roles/index.ts'

const SORT_COLUMNS = {
  name: sql`fold(${apiKeys.name})`,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  expiresOn: apiKeys.expiresOn,
}

export async function listApiKeys(db: Db, actor: Actor, query: z.output<typeof ApiKeyQuery>) {
  const where = and(
    apiKeyScope(actor),
    matchesSearchWords(query.q, [apiKeys.name, apiKeys.prefix]),
    query.status && API_KEY_STATUS_CONDITIONS[query.status],
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectApiKeys(db)
    .where(where)
    .orderBy(buildOrderBy(query.sort, SORT_COLUMNS, '-createdAt'), asc(apiKeys.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(apiKeys).where(where)
  return { items: rows.map(toApiKey), total: all?.n ?? 0 }
}

/**
 * An API key cannot manage API keys: the owner of a leaked key could otherwise never be sure to have revoked them all.
 */
export function requireNotApiKey(actor: Actor, what: string) {
  if (actor.kind === 'key') throw new AppError('forbidden', { message: `Une clé d’API ne ${what} pas d’autre clé.` })
}

export function requireFutureExpiry(expiresOn: string | null) {
  if (expiresOn !== null && expiresOn < getToday())
    throw fieldError('expiresOn', 'La fin d’une clé ne peut pas être dans le passé.')
}

type NewApiKeyValues = z.output<typeof NewApiKey> & { replaces?: string }

/** The row of a new key, and the key itself, of which only the hash is stored. */
export async function addApiKey(tx: Db, actor: Actor, draft: NewApiKeyValues) {
  await lockConfirmedAccount(tx, actor)
  const { permissions, ...rest } = draft
  const { key, prefix } = generateApiKey(actor.companyId)
  const own = { companyId: actor.companyId, makerId: actor.userId, prefix, keyHash: sha256(key) }
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...own, ...rest, permissions: [...new Set(permissions)] })
    .returning({ id: apiKeys.id })
  return { ...(await loadApiKey(tx, actor, row?.id ?? '')), key }
}

/** A key can have only permissions that its creator has. */
export async function createApiKey(tx: Db, actor: Actor, input: z.output<typeof NewApiKey>) {
  requireNotApiKey(actor, 'crée')
  requireGrantablePermissions(actor, input.permissions, input.operationIds !== null)
  if (input.operationIds) await requireVisibleOperations(tx, actor, input.operationIds)
  requireFutureExpiry(input.expiresOn)
  const made = await addApiKey(tx, actor, input)
  await recordEvent(tx, {
    companyId: actor.companyId,
    name: 'apikey.created',
    object: made.id,
    data: toApiKeyEventData(made),
  })
  return made
}

export const toApiKeyEventData = ({ id, name, prefix }: { id: string; name: string; prefix: string }) => ({
  keyId: id,
  name,
  prefix,
})

/** Effective from the next call; revoking twice changes nothing. */
export async function revokeApiKey(tx: Db, actor: Actor, id: string) {
  const before = await loadApiKey(tx, actor, id)
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${new Date()})`, version: sql`${apiKeys.version} + 1` })
    .where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
  if (before.status !== 'revoked')
    await recordEvent(tx, {
      companyId: actor.companyId,
      name: 'apikey.revoked',
      object: id,
      data: toApiKeyEventData(before),
    })
  return before
}

type LastCall = { at: string; ip: string; call: string } | null

/** The last accepted call, as long as single calls are kept; the row itself records the last use to the minute. */
const LAST_CALL = sql<LastCall>`(select json_build_object('at', c.at, 'ip', c.ip, 'call', c.route) from key_calls c
  where c.company_id = ${apiKeys.companyId} and c.key_id = ${apiKeys.id} and c.reason = '' order by c.at desc limit 1)`

const selectApiKeys = (db: Db) =>
  db
    .select({
      key: apiKeys,
      createdBy: sql<string>`concat_ws(' ', ${users.firstName}, ${users.lastName})`,
      last: LAST_CALL,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.makerId))

const IS_PAST_END = sql`(${apiKeys.retiresAt} <= now() or ${apiKeys.expiresOn} < (now() at time zone 'Europe/Paris')::date)`
const HAS_ENDED = sql`coalesce(${IS_PAST_END}, false)`

/** The same states as `statusOf`, as SQL conditions. */
const API_KEY_STATUS_CONDITIONS: Record<ApiKey['status'], SQL> = {
  revoked: sql`${apiKeys.revokedAt} is not null`,
  expired: sql`${apiKeys.revokedAt} is null and ${HAS_ENDED}`,
  retiring: sql`${apiKeys.revokedAt} is null and not ${HAS_ENDED} and ${apiKeys.retiresAt} is not null`,
  active: sql`${apiKeys.revokedAt} is null and not ${HAS_ENDED} and ${apiKeys.retiresAt} is null`,
}

function getApiKeyStatus({ revokedAt, expiresOn, retiresAt }: typeof apiKeys.$inferSelect): ApiKey['status'] {
  if (revokedAt) return 'revoked'
  if ((expiresOn !== null && expiresOn < getToday()) || (retiresAt && retiresAt <= new Date())) return 'expired'
  return retiresAt ? 'retiring' : 'active'
}

function getLastUse({ lastUsedAt, lastIp, lastCall }: typeof apiKeys.$inferSelect, last: LastCall) {
  if (last && (!lastUsedAt || new Date(last.at) >= lastUsedAt || lastCall === ''))
    return { lastUsedAt: new Date(last.at).toISOString(), lastIp: last.ip, lastCall: last.call }
  return { lastUsedAt: lastUsedAt?.toISOString() ?? null, lastIp, lastCall }
}

const toApiKey = ({ key, createdBy, last }: Awaited<ReturnType<typeof selectApiKeys>>[number]): ApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  permissions: key.permissions.filter(isPermission),
  operationIds: key.operationIds,
  allowedNetworks: key.allowedNetworks,
  perSecond: key.perSecond,
  perMonth: key.perMonth,
  createdBy,
  createdAt: key.createdAt.toISOString(),
  expiresOn: key.expiresOn,
  retiresAt: key.retiresAt?.toISOString() ?? null,
  replaces: key.replaces,
  ...getLastUse(key, last),
  status: getApiKeyStatus(key),
  version: key.version,
})

export async function loadApiKey(db: Db, actor: Actor, id: string): Promise<ApiKey> {
  const [row] = await selectApiKeys(db).where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
  if (!row) throw new AppError('not-found')
  return toApiKey(row)
}

/** The API keys of the company, without the tokens that members created to read their own data. */
export const apiKeyScope = (actor: Actor) => and(eq(apiKeys.companyId, actor.companyId), eq(apiKeys.space, 'office'))
