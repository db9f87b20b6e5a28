import type { KeyUpdate } from '@voisol/contract/keys'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { getKeyVersionPeriod, type KeyVersion, loadKeys } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import { keyShares, keys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { insertKeyShares, keepSharesOfMethod, requireKeyPoints } from './create-key.ts'
import { isThisKey, lockKey, recordKeyEvent, requireKeyUnused, requireKeyValid, updateKeyRow } from './stored-keys.ts'

type UpdateKeyInput = z.output<typeof KeyUpdate>
/** The smallest period that contains both: the days whose version may change. */
function mergeRanges(a: { from: string; to: string | null }, b: { from: string; to: string | null }) {
  const to = a.to === null || b.to === null ? null : a.to > b.to ? a.to : b.to
  return { from: a.from < b.from ? a.from : b.from, to }
}

export async function updateKey(tx: Db, actor: Actor, id: string, input: UpdateKeyInput): Promise<KeyVersion> {
  const { version: before, all, step } = await lockKey(tx, actor, id)
  const { shares: _, ...row } = before
  requireCurrentVersion(row, input)
  await requireKeyUnused(tx, before)
  const { shares: givenShares, version: _version, ...values } = input
  const shares = keepSharesOfMethod(input.method, givenShares)
  await requireKeyPoints(tx, actor.companyId, shares)
  await updateKeyRow(tx, before, values)
  await tx.delete(keyShares).where(and(eq(keyShares.companyId, actor.companyId), eq(keyShares.keyId, id)))
  await insertKeyShares(tx, actor.companyId, id, shares)
  if (before.status === 'adopted') {
    const versionsAfter = await loadKeys(tx, actor.companyId, before.operationId)
    const after = versionsAfter.find((key) => key.id === id) ?? before
    await requireKeyValid(tx, after, versionsAfter, step)
    await recordKeyEvent(
      tx,
      'key.changed',
      after,
      mergeRanges(getKeyVersionPeriod(before, all), getKeyVersionPeriod(after, versionsAfter)),
    )
  }
  return before
}

export async function adoptKey(tx: Db, actor: Actor, id: string, expected: { version: number }): Promise<KeyVersion> {
  const { version, all, step } = await lockKey(tx, actor, id)
  requireCurrentVersion({ version: version.version }, expected)
  if (version.status === 'adopted')
    throw new AppError('conflict', { message: `La version ${version.number} est déjà adoptée.` })
  await requireKeyValid(tx, version, all, step)
  await updateKeyRow(tx, version, { status: 'adopted' })
  await recordKeyEvent(tx, 'key.adopted', version, getKeyVersionPeriod(version, all))
  return version
}

export async function removeKey(tx: Db, actor: Actor, id: string): Promise<KeyVersion> {
  const { version } = await lockKey(tx, actor, id)
  if (version.status === 'adopted')
    throw new AppError('conflict', {
      message: `La version ${version.number} est adoptée : préparez-en une nouvelle pour la remplacer.`,
    })
  await tx.delete(keys).where(isThisKey(version))
  return version
}
