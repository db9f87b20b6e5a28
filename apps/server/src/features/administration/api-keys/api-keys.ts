import type { ApiKey, NewApiKey } from '@voisol/contract/api-keys'
import type { ListQuery } from '@voisol/contract/list'
import { isPermission } from '@voisol/contract/permissions'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireOperations } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { apiKeys, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { newApiKey } from '../../../http/api-key.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { sha256 } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import { requireHeld } from '../../people/roles/roles.ts'
import { apiKeyScope } from './scope.ts'

const SORTS = { name: sql`fold(${apiKeys.name})`, createdAt: apiKeys.createdAt, lastUsedAt: apiKeys.lastUsedAt }

const read = (db: Db) =>
  db
    .select({ key: apiKeys, createdBy: sql<string>`concat_ws(' ', ${users.firstName}, ${users.lastName})` })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.makerId))

function statusOf({ revokedAt, expiresOn }: typeof apiKeys.$inferSelect): ApiKey['status'] {
  if (revokedAt) return 'revoked'
  return expiresOn !== null && expiresOn < today() ? 'expired' : 'active'
}

const toApiKey = ({ key, createdBy }: Awaited<ReturnType<typeof read>>[number]): ApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  permissions: key.permissions.filter(isPermission),
  operationIds: key.operationIds,
  createdBy,
  createdAt: key.createdAt.toISOString(),
  expiresOn: key.expiresOn,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  status: statusOf(key),
})

export async function listApiKeys(db: Db, actor: Actor, query: ListQuery) {
  const where = and(apiKeyScope(actor), matches(query.q, [apiKeys.name, apiKeys.prefix]))
  const { limit, offset } = pageOf(query)
  const rows = await read(db)
    .where(where)
    .orderBy(orderBy(query.sort, SORTS, '-createdAt'), asc(apiKeys.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(apiKeys).where(where)
  return { items: rows.map(toApiKey), total: all?.n ?? 0 }
}

/** A subset of what its maker holds. A key makes no keys: who lost one could not be sure to have closed it. */
export async function createApiKey(tx: Db, actor: Actor, input: z.output<typeof NewApiKey>) {
  if (actor.kind === 'key') throw new AppError('forbidden', { message: 'Une clé d’API ne crée pas d’autre clé.' })
  const { name, permissions, operationIds, expiresOn } = input
  requireHeld(actor, permissions, operationIds !== null)
  if (operationIds) await requireOperations(tx, actor, operationIds)
  if (expiresOn !== null && expiresOn < today())
    throw fieldError('expiresOn', 'La fin d’une clé ne peut pas être dans le passé.')
  const { key, prefix } = newApiKey(actor.companyId)
  const own = { companyId: actor.companyId, makerId: actor.userId, name, prefix, keyHash: sha256(key) }
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...own, permissions: [...new Set(permissions)], operationIds, expiresOn })
    .returning({ id: apiKeys.id })
  return { ...(await findApiKey(tx, actor, row?.id ?? '')), key }
}

async function findApiKey(db: Db, actor: Actor, id: string): Promise<ApiKey> {
  const [row] = await read(db).where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
  if (!row) throw new AppError('not-found')
  return toApiKey(row)
}

/** Holds at the very next call; a second time changes nothing. */
export async function revokeApiKey(tx: Db, actor: Actor, id: string): Promise<ApiKey> {
  const before = await findApiKey(tx, actor, id)
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
    .where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
  return before
}
