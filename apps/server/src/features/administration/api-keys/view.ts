import type { ApiKey } from '@voisol/contract/api-keys'
import { isPermission } from '@voisol/contract/permissions'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { apiKeys, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { apiKeyScope } from './scope.ts'

type LastCall = { at: string; ip: string; call: string } | null

/** The last accepted call, as long as single calls are kept; the row itself records the last use to the minute. */
const LAST_CALL = sql<LastCall>`(select json_build_object('at', c.at, 'ip', c.ip, 'call', c.route) from key_calls c
  where c.company_id = ${apiKeys.companyId} and c.key_id = ${apiKeys.id} and c.reason = '' order by c.at desc limit 1)`

export const selectApiKeys = (db: Db) =>
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
export const API_KEY_STATUS_CONDITIONS: Record<ApiKey['status'], SQL> = {
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

export const toApiKey = ({ key, createdBy, last }: Awaited<ReturnType<typeof selectApiKeys>>[number]): ApiKey => ({
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
