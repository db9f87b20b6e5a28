import type { AllocationMethod } from '@voisol/contract/primitives'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { keyShares, keys } from '../db/schema/index.ts'

export type KeyVersionShare = { pointId: string; producerId: string | null; share: number | null; rank: number | null }
export type KeyRow = Omit<typeof keys.$inferSelect, 'method'> & { method: AllocationMethod }
export type KeyVersion = KeyRow & { shares: KeyVersionShare[] }

const compareKeyVersions = (a: KeyRow, b: KeyRow) => a.startsOn.localeCompare(b.startsOn) || a.number - b.number

/** The key of an operation with all its versions, drafts included, in the order of their numbers. */
export async function loadKeys(db: Db, companyId: number, operationId: string): Promise<KeyVersion[]> {
  const where = and(eq(keys.companyId, companyId), eq(keys.operationId, operationId))
  const rows = await db.select().from(keys).where(where).orderBy(asc(keys.number))
  const shares = await loadKeyShares(
    db,
    companyId,
    rows.map(({ id }) => id),
  )
  // The column holds only the methods of the contract.
  return rows.map((row) => ({ ...row, method: row.method as AllocationMethod, shares: shares.get(row.id) ?? [] }))
}

export async function loadKeyShares(db: Db, companyId: number, ids: string[]): Promise<Map<string, KeyVersionShare[]>> {
  const byKey = new Map<string, KeyVersionShare[]>()
  if (!ids.length) return byKey
  const rows = await db
    .select()
    .from(keyShares)
    .where(and(eq(keyShares.companyId, companyId), inArray(keyShares.keyId, ids)))
    .orderBy(asc(keyShares.keyId), asc(keyShares.producerId), asc(keyShares.pointId))
  for (const { keyId, pointId, producerId, share, rank } of rows) {
    const own = byKey.get(keyId) ?? []
    own.push({ pointId, producerId, share, rank })
    byKey.set(keyId, own)
  }
  return byKey
}

/** The period of a version: from its first day until the next adopted one begins. A draft counts as adopted. */
export function getKeyVersionPeriod<K extends KeyRow>(version: K, all: K[]): { from: string; to: string | null } {
  const after = all
    .filter((other) => other.id !== version.id && other.status === 'adopted' && compareKeyVersions(other, version) > 0)
    .sort(compareKeyVersions)
  return { from: version.startsOn, to: after[0]?.startsOn ?? null }
}

export type EffectiveKey = { version: KeyVersion; from: string; to: string }

/** The adopted versions in force over [from, to), each with its days, in chronological order. */
export function getEffectiveKeys(all: KeyVersion[], from: string, to: string): EffectiveKey[] {
  return all
    .filter(({ status }) => status === 'adopted')
    .sort(compareKeyVersions)
    .map((version) => {
      const span = getKeyVersionPeriod(version, all)
      const first = span.from > from ? span.from : from
      return { version, from: first, to: span.to !== null && span.to < to ? span.to : to }
    })
    .filter((held) => held.from < held.to)
}
