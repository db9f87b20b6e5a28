import type { KeyDraft } from '@voisol/contract/keys'
import type { AllocationMethod } from '@voisol/contract/primitives'
import type { Step } from '@voisol/energy/series'
import { and, eq, inArray, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import {
  getKeyVersionPeriod,
  type KeyRow,
  type KeyVersion,
  type KeyVersionShare,
  loadKeys,
} from '../../../core/allocation-keys.ts'
import { formatMemberName, listOperationMembers } from '../../../core/operation-members.ts'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { keyShares, keys, operations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { checkKeyVersion } from './check-key.ts'

type KeyInput = z.output<typeof KeyDraft>

/** Keeps only what the method uses: shares of another method would mislead readers of the version. */
export function keepSharesOfMethod(method: AllocationMethod, shares: KeyVersionShare[]): KeyVersionShare[] {
  switch (method) {
    case 'static':
    case 'redistributed':
      return shares
        .filter(({ producerId, share }) => producerId === null && share !== null)
        .map((share) => ({ ...share, rank: null }))
    case 'priority':
      return shares.filter(({ rank }) => rank !== null).map((share) => ({ ...share, producerId: null, share: null }))
    case 'complete':
      return shares
        .filter(({ producerId, share }) => producerId !== null && share !== null)
        .map((share) => ({ ...share, rank: null }))
    default:
      return []
  }
}

/** Every point named must belong to the company, have the right direction, and be named once. */
export async function requireKeyPoints(db: Db, companyId: number, shares: KeyVersionShare[]) {
  const ids = [
    ...new Set(shares.flatMap(({ pointId, producerId }) => (producerId ? [pointId, producerId] : [pointId]))),
  ]
  const rows = ids.length
    ? await db
        .select({ id: points.id, direction: points.direction })
        .from(points)
        .where(and(eq(points.companyId, companyId), inArray(points.id, ids)))
    : []
  const known = new Map(rows.map(({ id, direction }) => [id, direction]))
  const issues: { path: string; message: string }[] = []
  const seen = new Set<string>()
  for (const [at, { pointId, producerId }] of shares.entries()) {
    if (known.get(pointId) !== 'consumption')
      issues.push({ path: `shares.${at}.pointId`, message: 'Ce point de consommation n’existe pas.' })
    if (producerId && known.get(producerId) !== 'production')
      issues.push({ path: `shares.${at}.producerId`, message: 'Ce point de production n’existe pas.' })
    if (seen.has(`${producerId} ${pointId}`))
      issues.push({ path: `shares.${at}.pointId`, message: 'Ce point est nommé deux fois.' })
    seen.add(`${producerId} ${pointId}`)
  }
  if (issues.length) throw new AppError('invalid', { issues })
}

export async function insertKeyShares(tx: Db, companyId: number, keyId: string, shares: KeyVersionShare[]) {
  for (let at = 0; at < shares.length; at += 5000)
    await tx.insert(keyShares).values(shares.slice(at, at + 5000).map((share) => ({ ...share, companyId, keyId })))
}

type InsertKeyInput = Pick<KeyRow, 'method' | 'label' | 'startsOn' | 'decimals'> & {
  status: string
  shares: KeyVersionShare[]
}

async function insertKey(tx: Db, companyId: number, operationId: string, input: InsertKeyInput): Promise<string> {
  const { shares: givenShares, ...values } = input
  const shares = keepSharesOfMethod(input.method, givenShares)
  await requireKeyPoints(tx, companyId, shares)
  const own = and(eq(keys.companyId, companyId), eq(keys.operationId, operationId))
  const [last] = await tx
    .select({ number: max(keys.number) })
    .from(keys)
    .where(own)
  const number = (last?.number ?? 0) + 1
  const [row] = await tx
    .insert(keys)
    .values({ ...values, companyId, operationId, number })
    .returning({ id: keys.id })
  if (!row) throw new Error('the key was not created')
  await insertKeyShares(tx, companyId, row.id, shares)
  return row.id
}

/** Locked, so that versions are numbered and adopted one after the other. */
export async function lockOperationRow(tx: Db, companyId: number, operationId: string) {
  const where = and(eq(operations.companyId, companyId), eq(operations.id, operationId))
  const [operation] = await tx.select().from(operations).where(where).for('no key update')
  if (!operation) throw new AppError('not-found')
  return operation
}

export async function createKey(tx: Db, actor: Actor, operationId: string, input: KeyInput): Promise<string> {
  await lockOperationRow(tx, actor.companyId, operationId)
  return insertKey(tx, actor.companyId, operationId, { ...input, status: 'draft' })
}

/** Names of points, whether they take part or not. */
async function loadPointNames(
  db: Db,
  { companyId, operationId }: KeyVersion,
  ids: string[],
): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const { rows } = await db.execute<{ id: string; prm: string; label: string }>(sql`
    select p.id, p.prm, ${pointNameOnDaySql(companyId, sql`p`, undefined, sql`${operationId}`)} as label from points p
     where p.company_id = ${companyId} and p.id = any(${sql.param(ids)}::uuid[])`)
  return new Map(rows.map((row) => [row.id, formatMemberName({ ...row, holder: '' })]))
}

/** Loads what the checks of a version need, and runs them. */
export async function loadKeyProblems(db: Db, version: KeyVersion, all: KeyVersion[], step: number) {
  const span = getKeyVersionPeriod(version, all)
  const members = await listOperationMembers(db, version.companyId, version.operationId, span)
  const ids = [...new Set(version.shares.flatMap((s) => (s.producerId ? [s.pointId, s.producerId] : [s.pointId])))]
  const names = await loadPointNames(db, version, ids)
  return checkKeyVersion(db, version, { members, span, step: step as Step, names }) // only these are stored
}

type CreateFirstKeyInput = {
  method: AllocationMethod
  startsOn: string
  shares: { pointId: string; share?: number; rank?: number }[]
}

/** The first key of a new operation, adopted at once. */
export async function createFirstKey(
  tx: Db,
  actor: Actor,
  operationId: string,
  input: CreateFirstKeyInput,
): Promise<void> {
  const { companyId } = actor
  const operation = await lockOperationRow(tx, companyId, operationId)
  const shares = input.shares.map(({ pointId, share = null, rank = null }) => ({
    pointId,
    producerId: null,
    share,
    rank,
  }))
  const { method, startsOn } = input
  const values = { method, startsOn, shares, label: '', decimals: 1, status: 'adopted' }
  const id = await insertKey(tx, companyId, operationId, values)
  const all = await loadKeys(tx, companyId, operationId)
  const version = all.find((key) => key.id === id)
  const problems = version ? await loadKeyProblems(tx, version, all, operation.stepMinutes) : []
  const refused = problems.find(({ severity }) => severity === 'refused')
  if (refused) throw fieldError('key', refused.message)
}
