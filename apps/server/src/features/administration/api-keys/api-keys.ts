import type { ApiKeyQuery, NewApiKey } from '@voisol/contract/api-keys'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEvent } from '../../../core/events.ts'
import { requireVisibleOperations } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { generateApiKey } from '../../../http/api-key.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { sha256 } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { lockConfirmedAccount } from '../../people/auth/auth.ts'
import { requireGrantablePermissions } from '../../people/roles/roles.ts'
import { apiKeyScope } from './scope.ts'
import { API_KEY_STATUS_CONDITIONS, loadApiKey, selectApiKeys, toApiKey } from './view.ts'

export { loadApiKey } from './view.ts'

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
