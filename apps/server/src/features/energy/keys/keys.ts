import type { KeyUpdate } from '@voisol/contract/keys'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { type KeyVersion, loadKeys, spanOf } from '../../../core/key-versions.ts'
import type { Db } from '../../../db/client.ts'
import { keyShares, keys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { lockOperationRow, problemsIn, requirePoints, saveShares, sharesFor } from './create.ts'
import { findKey, lockedKeys } from './view.ts'

export { createFirstKey, createKey } from './create.ts'

type Update = z.output<typeof KeyUpdate>
type Locked = { version: KeyVersion; all: KeyVersion[]; step: number }

/** The version and its operation, held until the transaction ends. */
export async function lockKey(tx: Db, actor: Actor, id: string): Promise<Locked> {
  const { operationId } = (await findKey(tx, actor, id)).version
  const operation = await lockOperationRow(tx, actor.companyId, operationId)
  return { ...(await findKey(tx, actor, id)), step: operation.stepMinutes }
}

export async function requireUnused(tx: Db, { companyId, id, number }: KeyVersion) {
  if ((await lockedKeys(tx, companyId, [id])).has(id))
    throw new AppError('conflict', {
      message: `Un calcul définitif s’appuie sur la version ${number} : elle ne change plus. Préparez une nouvelle version à la date voulue.`,
    })
}

/** An adopted version must stand every check; a draft may wait for its corrections. */
export async function requireSound(tx: Db, version: KeyVersion, all: KeyVersion[], step: number) {
  const problems = await problemsIn(tx, version, all, step)
  const refused = problems.filter(({ severity }) => severity === 'refused')
  if (!refused.length) return
  const message = `Cette clé ne peut pas être adoptée. ${refused[0]?.message ?? ''}`
  throw new AppError('invalid', { message, issues: refused.map(({ message }) => ({ path: 'shares', message })) })
}

export const tellKey = (
  tx: Db,
  name: 'key.adopted' | 'key.changed',
  { companyId, id: keyId, operationId, number }: KeyVersion,
  { from, to }: { from: string; to: string | null },
) => record(tx, { companyId, name, object: keyId, data: { keyId, operationId, number, days: { from, to } } })

const one = ({ companyId, id }: KeyVersion) => and(eq(keys.companyId, companyId), eq(keys.id, id))
export const touchKey = (tx: Db, version: KeyVersion, values: Partial<typeof keys.$inferInsert> = {}) =>
  tx
    .update(keys)
    .set({ ...values, version: sql`${keys.version} + 1` })
    .where(one(version))

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
