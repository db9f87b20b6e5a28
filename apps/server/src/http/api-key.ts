import { crc32 } from 'node:zlib'
import { isPermission, type Space } from '@voisol/contract/permissions'
import type { FastifyRequest } from 'fastify'
import { type Db, queryPrepared } from '../db/client.ts'
import { skipWhenReadOnly } from '../db/database-errors.ts'
import { generateToken, sha256 } from '../secrets.ts'
import {
  type Actor,
  computePermissions,
  type DirectoryPerson,
  NO_SESSION,
  PERSON_COLUMNS,
  type PersonRow,
} from './actor.ts'
import { isAddressAllowed } from './client-address.ts'
import { AppError } from './errors.ts'
import { getRoutePattern } from './logging.ts'

/**
 * The key contains its company id, so that the row can be found on the machine of that company. Its end is a checksum,
 * for secret scanners.
 */
const API_KEY_PATTERN = /^vsl_(\d{1,10})_([\w-]{43})([0-9a-f]{8})$/
const PREFIX_LENGTH = 12

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')

export function generateApiKey(companyId: number): { key: string; prefix: string } {
  const start = `vsl_${companyId}_${generateToken()}`
  return { key: start + checksum(start), prefix: start.slice(0, PREFIX_LENGTH) }
}

export const isApiKeyToken = (token: string) => token.startsWith('vsl_')

/** Its last day has passed, or the overlap after its replacement. */
const IS_EXPIRED = `(coalesce(k.expires_on < (now() at time zone 'Europe/Paris')::date, false)
  or coalesce(k.retires_at <= now(), false))`
/** A valid key whose creator is an active member of the company; `which` completes the condition. */
const buildKeyQuery = (which: string) => `
  select ${PERSON_COLUMNS}, k.id as "keyId", k.name as "keyName", k.permissions as "keyPermissions", k.space,
         k.operation_ids as "keyOperationIds", k.allowed_networks as "allowedNetworks",
         k.per_second as "perSecond", k.per_month as "perMonth",
         g.per_second as "companyPerSecond", g.per_month as "companyPerMonth",
         coalesce(k.last_used_at < now() - interval '1 minute', true) as "stale"
    from api_keys k
    join users u on u.id = k.maker_id
    join memberships m on m.user_id = k.maker_id and m.company_id = k.company_id
    join companies c on c.id = k.company_id
    left join gateway_limits g on g.company_id = k.company_id
   where k.company_id = $1 and ${which} and k.revoked_at is null and not ${IS_EXPIRED}
     and m.disabled_at is null and m.accepted_at is not null and (k.space = 'portal' or m.role <> 'client')`
type ApiKeyRow = DirectoryPerson<PersonRow> & {
  keyId: string
  keyName: string
  space: Space
  keyPermissions: string[]
  keyOperationIds: string[] | null
  allowedNetworks: string[]
  perSecond: number | null
  perMonth: number | null
  companyPerSecond: number | null
  companyPerMonth: number | null
  stale: boolean
}

/** A renewed key inherits the jobs of its predecessor: the latest valid key of the chain. */
const SUCCESSOR_KEYS = `k.id in (
    with recursive heirs as (
      select id from api_keys where company_id = $1 and id = $2
      union select n.id from api_keys n join heirs h on n.company_id = $1 and n.replaces = h.id)
    select id from heirs)`
const BY_HASH = buildKeyQuery('k.key_hash = $2')
const BY_ID = `${buildKeyQuery(SUCCESSOR_KEYS)} order by k.created_at desc limit 1`
const MARK_USED_QUERY = `update api_keys set last_used_at = now(), last_ip = $3, last_call = $4
   where company_id = $1 and id = $2`
const REFUSAL_REASON_QUERY = `select k.id, k.revoked_at is null and ${IS_EXPIRED} as ended
   from api_keys k where k.company_id = $1 and k.key_hash = $2`

/** The holder of an invalid key may be told why: it is or was theirs. */
async function throwKeyRefusal(db: Db, companyId: number, hash: Buffer, request: FastifyRequest): Promise<never> {
  const { rows } = await queryPrepared<{ id: string; ended: boolean }>(db, 'api-key-why', REFUSAL_REASON_QUERY, [
    companyId,
    hash,
  ])
  const [row] = rows
  if (!row) throw new AppError('unauthenticated')
  request.caller = { companyId, kind: 'key', who: row.id }
  throw new AppError(row.ended ? 'key-expired' : 'key-revoked')
}

/** Both limits apply. */
const intersectOperationIds = (own: readonly string[] | null, makers: readonly string[] | null) =>
  own && makers ? own.filter((id) => makers.includes(id)) : (own ?? makers)

/** A key has a permission only as long as its creator has it too. */
export async function authenticateApiKey(db: Db, token: string, request: FastifyRequest): Promise<Actor> {
  const [, company, , sum] = API_KEY_PATTERN.exec(token) ?? []
  if (!company || sum !== checksum(token.slice(0, -8))) throw new AppError('unauthenticated')
  const companyId = Number(company)
  if (companyId > 2_147_483_647) throw new AppError('unauthenticated')
  const hash = sha256(token)
  const { rows } = await queryPrepared<ApiKeyRow>(db, 'api-key', BY_HASH, [companyId, hash])
  const [row] = rows
  if (!row) return throwKeyRefusal(db, companyId, hash, request)
  request.caller = { companyId, kind: 'key', who: row.keyId }
  if (!isAddressAllowed(row.allowedNetworks, request.ip)) throw new AppError('key-address')
  const seen = [companyId, row.keyId, request.ip, `${request.method} ${getRoutePattern(request)}`]
  if (row.stale) await skipWhenReadOnly(queryPrepared(db, 'api-key-seen', MARK_USED_QUERY, seen))
  return toKeyActor(row)
}

/** The same key at a later time, with its present rights, or its replacement. */
export async function findCurrentApiKeyActor(db: Db, companyId: number, keyId: string): Promise<Actor | undefined> {
  const { rows } = await queryPrepared<ApiKeyRow>(db, 'standing-key', BY_ID, [companyId, keyId])
  return rows[0] && toKeyActor(rows[0])
}

function toKeyActor(row: ApiKeyRow): Actor {
  const { id: userId, companyId, keyId, firstName, lastName, keyName, keyPermissions, keyOperationIds } = row
  const operationIds = intersectOperationIds(keyOperationIds, row.operationIds)
  const makers = computePermissions({ ...row, operationIds })
  return {
    kind: 'key',
    userId,
    keyId,
    sessionId: NO_SESSION,
    companyId,
    email: `clé d’API «\u00a0${keyName}\u00a0»`,
    firstName,
    lastName,
    space: row.space,
    permissions: keyPermissions
      .filter(isPermission)
      // A person's own data are theirs whatever their role.
      .filter((permission) => row.space === 'portal' || makers.includes(permission)),
    operationIds: row.space === 'portal' ? null : operationIds,
    keepsSite: row.keepsSite,
    readOnly: row.readOnly,
    limits: {
      key: { perSecond: row.perSecond, perMonth: row.perMonth },
      company: { perSecond: row.companyPerSecond, perMonth: row.companyPerMonth },
    },
  }
}
