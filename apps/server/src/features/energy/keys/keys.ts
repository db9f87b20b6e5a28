import type { KeyUpdate } from '@voisol/contract/keys'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { type KeyVersion, loadKeys, spanOf } from '../../../core/key-versions.ts'
import type { Db } from '../../../db/client.ts'
import { keyShares, keys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { requirePoints, saveShares, sharesFor } from './create.ts'
import { lockKey, one, requireSound, requireUnused, tellKey, touchKey } from './held.ts'

export { createFirstKey, createKey } from './create.ts'
export { importCoefficients } from './import.ts'

type Update = z.output<typeof KeyUpdate>
/** What the two spans cover together: the days for which another version may hold from now on. */
function union(a: { from: string; to: string | null }, b: { from: string; to: string | null }) {
  const to = a.to === null || b.to === null ? null : a.to > b.to ? a.to : b.to
  return { from: a.from < b.from ? a.from : b.from, to }
}

export async function updateKey(tx: Db, actor: Actor, id: string, input: Update): Promise<KeyVersion> {
  const { version: before, all, step } = await lockKey(tx, actor, id)
  const { shares: _, ...row } = before
  requireVersion(row, input)
  await requireUnused(tx, before)
  const { shares: given, version: _version, ...values } = input
  const shares = sharesFor(input.method, given)
  await requirePoints(tx, actor.companyId, shares)
  await touchKey(tx, before, values)
  await tx.delete(keyShares).where(and(eq(keyShares.companyId, actor.companyId), eq(keyShares.keyId, id)))
  await saveShares(tx, actor.companyId, id, shares)
  if (before.status === 'adopted') {
    const now = await loadKeys(tx, actor.companyId, before.operationId)
    const after = now.find((key) => key.id === id) ?? before
    await requireSound(tx, after, now, step)
    await tellKey(tx, 'key.changed', after, union(spanOf(before, all), spanOf(after, now)))
  }
  return before
}

export async function adoptKey(tx: Db, actor: Actor, id: string, wanted: { version: number }): Promise<KeyVersion> {
  const { version, all, step } = await lockKey(tx, actor, id)
  requireVersion({ version: version.version }, wanted)
  if (version.status === 'adopted')
    throw new AppError('conflict', { message: `La version ${version.number} est déjà adoptée.` })
  await requireSound(tx, version, all, step)
  await touchKey(tx, version, { status: 'adopted' })
  await tellKey(tx, 'key.adopted', version, spanOf(version, all))
  return version
}

export async function removeKey(tx: Db, actor: Actor, id: string): Promise<KeyVersion> {
  const { version } = await lockKey(tx, actor, id)
  if (version.status === 'adopted')
    throw new AppError('conflict', {
      message: `La version ${version.number} est adoptée : préparez-en une nouvelle pour la remplacer.`,
    })
  await tx.delete(keys).where(one(version))
  return version
}
