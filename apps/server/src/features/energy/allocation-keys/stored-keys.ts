import type { Key, KeyDetail } from '@voisol/contract/keys'
import { addDays } from '@voisol/energy/calendar'
import { and, countDistinct, eq, inArray, max, min, sql } from 'drizzle-orm'
import { operationScope, withinOperationLimit } from '../../../core/access-scopes.ts'
import { getKeyVersionPeriod, type KeyVersion, loadKeys, usesCoefficientCurves } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import { keyCoefficients, keys, operations } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { buildCoverageProblems, loadUncoveredDaysOfKey } from './check-key.ts'
import { loadKeyProblems, lockOperationRow } from './create-key.ts'

/** A version used by a definitive run is never changed again. */
async function listLockedKeyIds(db: Db, companyId: number, ids: string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const { rows } = await db.execute<{ id: string }>(sql`
    select k.id from unnest(${sql.param(ids)}::uuid[]) k(id)
     where exists (select 1 from allocation_runs r
       where r.company_id = ${companyId} and r.kind = 'definitive' and r.status = 'done'
         and r.key_ids @> jsonb_build_array(jsonb_build_object('id', k.id::text)))`)
  return new Set(rows.map(({ id }) => id))
}

async function loadCoefficientDays(
  db: Db,
  companyId: number,
  ids: string[],
): Promise<Map<string, Key['coefficientDays']>> {
  if (!ids.length) return new Map()
  const { day, keyId } = keyCoefficients
  const rows = await db
    .select({ keyId, from: min(day), last: max(day), days: countDistinct(day) })
    .from(keyCoefficients)
    .where(and(eq(keyCoefficients.companyId, companyId), inArray(keyId, ids)))
    .groupBy(keyId)
  return new Map(
    rows.map((row) => [
      row.keyId,
      row.from && row.last ? { from: row.from, to: addDays(row.last, 1), days: row.days } : null,
    ]),
  )
}

const sumShares = ({ method, shares }: KeyVersion) =>
  method === 'static' || method === 'redistributed' ? shares.reduce((sum, { share }) => sum + (share ?? 0), 0) : null

type KeyListContext = { all: KeyVersion[]; locked: Set<string>; days: Map<string, Key['coefficientDays']> }

function toKeyView(version: KeyVersion, { all, locked, days }: KeyListContext): Key {
  const { companyId: _, shares: _shares, createdAt, ...row } = version
  const span = getKeyVersionPeriod(version, all)
  const now = getToday()
  return {
    ...row,
    status: version.status === 'adopted' ? 'adopted' : 'draft',
    endsOn: span.to,
    inForce: version.status === 'adopted' && span.from <= now && (span.to === null || span.to > now),
    locked: locked.has(version.id),
    sum: sumShares(version),
    coefficientDays: usesCoefficientCurves(version) ? (days.get(version.id) ?? null) : null,
    createdAt: createdAt.toISOString(),
  }
}

async function loadKeyListContext(db: Db, companyId: number, all: KeyVersion[]): Promise<KeyListContext> {
  const ids = all.map(({ id }) => id)
  return {
    all,
    locked: await listLockedKeyIds(db, companyId, ids),
    days: await loadCoefficientDays(db, companyId, ids),
  }
}

async function loadOperationStep(db: Db, actor: Actor, operationId: string): Promise<number> {
  const where = and(operationScope(actor), eq(operations.id, operationId))
  const [operation] = await db.select({ step: operations.stepMinutes }).from(operations).where(where)
  if (!operation) throw new AppError('not-found')
  return operation.step
}

/** Latest version first. */
export async function listKeyVersions(db: Db, actor: Actor, operationId: string): Promise<{ items: Key[] }> {
  await loadOperationStep(db, actor, operationId)
  const all = await loadKeys(db, actor.companyId, operationId)
  const facts = await loadKeyListContext(db, actor.companyId, all)
  return { items: all.toReversed().map((version) => toKeyView(version, facts)) }
}

/** A version with the others of its operation. */
async function loadKeyVersion(db: Db, actor: Actor, id: string): Promise<{ version: KeyVersion; all: KeyVersion[] }> {
  const [row] = await db
    .select({ operationId: keys.operationId })
    .from(keys)
    .where(and(keyScope(actor), eq(keys.id, id)))
  const all = row ? await loadKeys(db, actor.companyId, row.operationId) : []
  const version = all.find((key) => key.id === id)
  if (!version) throw new AppError('not-found')
  return { version, all }
}

export async function loadKeyDetail(db: Db, actor: Actor, id: string): Promise<KeyDetail> {
  const { version, all } = await loadKeyVersion(db, actor, id)
  const facts = await loadKeyListContext(db, actor.companyId, all)
  const step = await loadOperationStep(db, actor, version.operationId)
  const problems = await loadKeyProblems(db, version, all, step)
  const uncovered = await loadUncoveredDaysOfKey(db, version, all, step)
  return {
    ...toKeyView(version, facts),
    shares: version.shares,
    problems: [...problems, ...buildCoverageProblems(uncovered)],
    uncovered,
  }
}

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

/** The keys of the actor's company, within the operations they are limited to. */
export const keyScope = (actor: Actor) =>
  and(eq(keys.companyId, actor.companyId), withinOperationLimit(actor, keys.operationId))
