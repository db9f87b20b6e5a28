import type { ApiKey } from '@voisol/contract/api-keys'
import { isPermission } from '@voisol/contract/permissions'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { apiKeys, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { apiKeyScope } from './scope.ts'

type Last = { at: string; ip: string; call: string } | null

/** The last of its calls that got in, where they are still kept one by one; the row itself knows it to the minute. */
const LAST = sql<Last>`(select json_build_object('at', c.at, 'ip', c.ip, 'call', c.route) from key_calls c
  where c.company_id = ${apiKeys.companyId} and c.key_id = ${apiKeys.id} and c.reason = '' order by c.at desc limit 1)`

export const readKeys = (db: Db) =>
  db
    .select({ key: apiKeys, createdBy: sql<string>`concat_ws(' ', ${users.firstName}, ${users.lastName})`, last: LAST })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.makerId))

const PAST = sql`(${apiKeys.retiresAt} <= now() or ${apiKeys.expiresOn} < (now() at time zone 'Europe/Paris')::date)`
const ENDED = sql`coalesce(${PAST}, false)`

/** The same states as `statusOf` tells, as conditions. */
export const withStatus: Record<ApiKey['status'], SQL> = {
  revoked: sql`${apiKeys.revokedAt} is not null`,
  expired: sql`${apiKeys.revokedAt} is null and ${ENDED}`,
  retiring: sql`${apiKeys.revokedAt} is null and not ${ENDED} and ${apiKeys.retiresAt} is not null`,
  active: sql`${apiKeys.revokedAt} is null and not ${ENDED} and ${apiKeys.retiresAt} is null`,
}

function statusOf({ revokedAt, expiresOn, retiresAt }: typeof apiKeys.$inferSelect): ApiKey['status'] {
  if (revokedAt) return 'revoked'
  if ((expiresOn !== null && expiresOn < today()) || (retiresAt && retiresAt <= new Date())) return 'expired'
  return retiresAt ? 'retiring' : 'active'
}

function lastUse({ lastUsedAt, lastIp, lastCall }: typeof apiKeys.$inferSelect, last: Last) {
  if (last && (!lastUsedAt || new Date(last.at) >= lastUsedAt || lastCall === ''))
    return { lastUsedAt: new Date(last.at).toISOString(), lastIp: last.ip, lastCall: last.call }
  return { lastUsedAt: lastUsedAt?.toISOString() ?? null, lastIp, lastCall }
}

export const toApiKey = ({ key, createdBy, last }: Awaited<ReturnType<typeof readKeys>>[number]): ApiKey => ({
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
  ...lastUse(key, last),
  status: statusOf(key),
  version: key.version,
})

export async function findApiKey(db: Db, actor: Actor, id: string): Promise<ApiKey> {
  const [row] = await readKeys(db).where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
  if (!row) throw new AppError('not-found')
  return toApiKey(row)
}
