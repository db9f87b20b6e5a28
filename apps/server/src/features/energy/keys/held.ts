import { and, eq, sql } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import type { KeyVersion } from '../../../core/key-versions.ts'
import type { Db } from '../../../db/client.ts'
import { keys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { loadKeyProblems, lockOperationRow } from './create.ts'
import { listLockedKeyIds, loadKeyVersion } from './view.ts'

type LockedKey = { version: KeyVersion; all: KeyVersion[]; step: number }

/** Locks a version and its operation until the transaction ends. */
export async function lockKey(tx: Db, actor: Actor, id: string): Promise<LockedKey> {
  const { operationId } = (await loadKeyVersion(tx, actor, id)).version
  const operation = await lockOperationRow(tx, actor.companyId, operationId)
  return { ...(await loadKeyVersion(tx, actor, id)), step: operation.stepMinutes }
}

export async function requireKeyUnused(tx: Db, { companyId, id, number }: KeyVersion) {
  if ((await listLockedKeyIds(tx, companyId, [id])).has(id))
    throw new AppError('conflict', {
      message: `Un calcul définitif s’appuie sur la version ${number} : elle ne change plus. Préparez une nouvelle version à la date voulue.`,
    })
}

/** An adopted version must pass every check; a draft may wait for corrections. */
export async function requireKeyValid(tx: Db, version: KeyVersion, all: KeyVersion[], step: number) {
  const problems = await loadKeyProblems(tx, version, all, step)
  const refused = problems.filter(({ severity }) => severity === 'refused')
  if (!refused.length) return
  const message = `Cette clé ne peut pas être adoptée. ${refused[0]?.message ?? ''}`
  throw new AppError('invalid', { message, issues: refused.map(({ message }) => ({ path: 'shares', message })) })
}

export const recordKeyEvent = (
  tx: Db,
  name: 'key.adopted' | 'key.changed',
  { companyId, id: keyId, operationId, number }: KeyVersion,
  { from, to }: { from: string; to: string | null },
) => recordEvent(tx, { companyId, name, object: keyId, data: { keyId, operationId, number, days: { from, to } } })

export const isThisKey = ({ companyId, id }: KeyVersion) => and(eq(keys.companyId, companyId), eq(keys.id, id))
export const updateKeyRow = (tx: Db, version: KeyVersion, values: Partial<typeof keys.$inferInsert> = {}) =>
  tx
    .update(keys)
    .set({ ...values, version: sql`${keys.version} + 1` })
    .where(isThisKey(version))
