import type { ApiKey, ApiKeyChange, Rotation } from '@voisol/contract/api-keys'
import { addDays } from '@voisol/energy/calendar'
import { and, eq, gte, isNull, lte } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { requireGrantablePermissions } from '../../identity/roles/index.ts'
import {
  addApiKey,
  apiKeyScope,
  loadApiKey,
  requireFutureExpiry,
  requireNotApiKey,
  toApiKeyEventData,
} from './api-keys.ts'

const KEY_ENDED_MESSAGE = 'Cette clé n’est plus valable\u00a0: créez-en une autre.'

/**
 * Loads the key and locks its row until the end of the transaction; refuses when it has permissions that the caller
 * lacks.
 */
async function lockKey(tx: Db, actor: Actor, id: string): Promise<ApiKey> {
  await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
    .for('update')
  const key = await loadApiKey(tx, actor, id)
  requireGrantablePermissions(actor, key.permissions, key.operationIds !== null)
  return key
}

/** Changes the name and the limits; an expired or revoked key cannot be reactivated. */
export async function updateApiKey(tx: Db, actor: Actor, id: string, input: z.output<typeof ApiKeyChange>) {
  requireNotApiKey(actor, 'modifie')
  const before = await lockKey(tx, actor, id)
  const { version, ...values } = input
  requireCurrentVersion(before, input)
  if (before.status !== 'active' && before.status !== 'retiring')
    throw new AppError('conflict', { message: KEY_ENDED_MESSAGE })
  requireFutureExpiry(values.expiresOn)
  await tx
    .update(apiKeys)
    .set({ ...values, version: version + 1 })
    .where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
  return { before, after: await loadApiKey(tx, actor, id) }
}

/**
 * Issues a new secret with the same permissions and limits; the old secret stays valid for the overlap that the caller
 * chose.
 */
export async function rotateApiKey(tx: Db, actor: Actor, id: string, input: z.output<typeof Rotation>) {
  requireNotApiKey(actor, 'renouvelle')
  const old = await lockKey(tx, actor, id)
  if (old.status === 'retiring')
    throw new AppError('conflict', { message: 'Cette clé a déjà été renouvelée\u00a0: renouvelez la nouvelle.' })
  if (old.status !== 'active') throw new AppError('conflict', { message: KEY_ENDED_MESSAGE })
  requireFutureExpiry(input.expiresOn)
  const { name, permissions, operationIds, allowedNetworks, perSecond, perMonth } = old
  const same = { name, permissions, operationIds, allowedNetworks, perSecond, perMonth }
  const made = await addApiKey(tx, actor, { ...same, expiresOn: input.expiresOn, replaces: id })
  const until = new Date(Date.now() + input.overlapHours * 3_600_000)
  await tx
    .update(apiKeys)
    .set({ retiresAt: until, version: old.version + 1 })
    .where(and(apiKeyScope(actor), eq(apiKeys.id, id)))
  const data = { ...toApiKeyEventData(old), newKeyId: made.id, until: until.toISOString() }
  await recordEvent(tx, { companyId: actor.companyId, name: 'apikey.rotated', object: id, data })
  return { old, made, until }
}

/** Days before expiry on which a warning is sent, each once. */
const WARNING_DAYS = [1, 7, 30] as const
const MAX_WARNING_DAYS = 30

const daysBetween = (from: string, to: string) => Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days

/** Runs daily: records an event for keys about to expire, unless they have been rotated. */
export async function recordExpiringApiKeys(deps: Deps, day = getToday()): Promise<void> {
  const notReplaced = and(isNull(apiKeys.revokedAt), isNull(apiKeys.retiresAt))
  const expiresSoon = and(gte(apiKeys.expiresOn, day), lte(apiKeys.expiresOn, addDays(day, MAX_WARNING_DAYS)))
  const rows = await deps.db
    .select()
    .from(apiKeys)
    .where(and(notReplaced, expiresSoon))
    .orderBy(apiKeys.companyId, apiKeys.id)
  for (const { companyId, expiresOn, ...key } of rows) {
    const left = daysBetween(day, expiresOn ?? day)
    const warning = WARNING_DAYS.find((days) => left <= days)
    if (warning === undefined) continue
    await transaction(scopeToCompany(deps.db, companyId), (tx) =>
      recordEvent(tx, {
        companyId,
        name: 'apikey.expiry-approached',
        object: key.id,
        data: { ...toApiKeyEventData(key), on: expiresOn ?? day, left, warning },
        by: { job: 'api-keys.expiry', secrets: deps.secrets },
        once: `${key.id} ${expiresOn} ${warning}`,
      }),
    )
  }
}
