import type { ApiKeyQuery, NewApiKey } from '@voisol/contract/api-keys'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { requireOperations } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { newApiKey } from '../../../http/api-key.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { sha256 } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import { requireConfirmedAddress } from '../../people/auth/auth.ts'
import { requireHeld } from '../../people/roles/roles.ts'
import { apiKeyScope } from './scope.ts'
import { findApiKey, readKeys, toApiKey, withStatus } from './view.ts'

export { findApiKey } from './view.ts'

const SORTS = {
  name: sql`fold(${apiKeys.name})`,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  expiresOn: apiKeys.expiresOn,
}

export async function listApiKeys(db: Db, actor: Actor, query: z.output<typeof ApiKeyQuery>) {
  const where = and(
    apiKeyScope(actor),
    matches(query.q, [apiKeys.name, apiKeys.prefix]),
    query.status && withStatus[query.status],
  )
  const { limit, offset } = pageOf(query)
  const rows = await readKeys(db)
    .where(where)
    .orderBy(orderBy(query.sort, SORTS, '-createdAt'), asc(apiKeys.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(apiKeys).where(where)
  return { items: rows.map(toApiKey), total: all?.n ?? 0 }
}

/** A key makes no keys: who lost one could not be sure to have closed it. */
export function requirePerson(actor: Actor, what: string) {
  if (actor.kind === 'key') throw new AppError('forbidden', { message: `Une clé d’API ne ${what} pas d’autre clé.` })
}

export function requireFuture(expiresOn: string | null) {
  if (expiresOn !== null && expiresOn < today())
    throw fieldError('expiresOn', 'La fin d’une clé ne peut pas être dans le passé.')
}

type Draft = z.output<typeof NewApiKey> & { replaces?: string }

/** The row of a key that was never before, and the key itself, which is not kept. */
export async function addApiKey(tx: Db, actor: Actor, draft: Draft) {
  await requireConfirmedAddress(tx, actor)
  const { permissions, ...rest } = draft
  const { key, prefix } = newApiKey(actor.companyId)
  const own = { companyId: actor.companyId, makerId: actor.userId, prefix, keyHash: sha256(key) }
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...own, ...rest, permissions: [...new Set(permissions)] })
    .returning({ id: apiKeys.id })
  return { ...(await findApiKey(tx, actor, row?.id ?? '')), key }
}

/** A subset of what its maker holds. */
export async function createApiKey(tx: Db, actor: Actor, input: z.output<typeof NewApiKey>) {
  requirePerson(actor, 'crée')
  requireHeld(actor, input.permissions, input.operationIds !== null)
  if (input.operationIds) await requireOperations(tx, actor, input.operationIds)
  requireFuture(input.expiresOn)
  const made = await addApiKey(tx, actor, input)
  await record(tx, { companyId: actor.companyId, name: 'apikey.created', object: made.id, data: toldOf(made) })
  return made
}

export const toldOf = ({ id, name, prefix }: { id: string; name: string; prefix: string }) => ({
  keyId: id,
  name,
  prefix,
})

/** Holds at the very next call; a second time changes nothing. */
export async function revokeApiKey(tx: Db, actor: Actor, id: string) {
  const before = await findApiKey(tx, actor, id)
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${new Date()})`, version: sql`${apiKeys.version} + 1` })
    .where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
  if (before.status !== 'revoked')
    await record(tx, { companyId: actor.companyId, name: 'apikey.revoked', object: id, data: toldOf(before) })
  return before
}
