import type { ApiKey, ApiKeyChange, Rotation } from '@voisol/contract/api-keys'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { requireGrantablePermissions } from '../../people/roles/roles.ts'
import { addApiKey, requireFutureExpiry, requireNotApiKey, toApiKeyEventData } from './api-keys.ts'
import { apiKeyScope } from './scope.ts'
import { loadApiKey } from './view.ts'

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
