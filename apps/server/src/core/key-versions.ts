import type { Method } from '@voisol/contract/primitives'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { keyShares, keys } from '../db/schema/index.ts'

export type Share = { pointId: string; producerId: string | null; share: number | null; rank: number | null }
export type KeyRow = Omit<typeof keys.$inferSelect, 'method'> & { method: Method }
export type KeyVersion = KeyRow & { shares: Share[] }

const inOrder = (a: KeyRow, b: KeyRow) => a.startsOn.localeCompare(b.startsOn) || a.number - b.number

/** The key of an operation with all its versions, drafts included, in the order of their numbers. */
export async function loadKeys(db: Db, companyId: number, operationId: string): Promise<KeyVersion[]> {
  const where = and(eq(keys.companyId, companyId), eq(keys.operationId, operationId))
  const rows = await db.select().from(keys).where(where).orderBy(asc(keys.number))
  const shares = await sharesOf(
    db,
    companyId,
    rows.map(({ id }) => id),
  )
  // The column holds only the methods of the contract.
  return rows.map((row) => ({ ...row, method: row.method as Method, shares: shares.get(row.id) ?? [] }))
}

export async function sharesOf(db: Db, companyId: number, ids: string[]): Promise<Map<string, Share[]>> {
  const byKey = new Map<string, Share[]>()
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

/** When a version holds: from its first day until the next adopted one begins. A draft is taken as if it were adopted. */
export function spanOf<K extends KeyRow>(version: K, all: K[]): { from: string; to: string | null } {
  const after = all
    .filter((other) => other.id !== version.id && other.status === 'adopted' && inOrder(other, version) > 0)
    .sort(inOrder)
  return { from: version.startsOn, to: after[0]?.startsOn ?? null }
}

export type HeldKey = { version: KeyVersion; from: string; to: string }

/** The adopted versions in force over [from, to), each with its days, in order of time. */
export function heldOver(all: KeyVersion[], from: string, to: string): HeldKey[] {
  return all
    .filter(({ status }) => status === 'adopted')
    .sort(inOrder)
    .map((version) => {
      const span = spanOf(version, all)
      const first = span.from > from ? span.from : from
      return { version, from: first, to: span.to !== null && span.to < to ? span.to : to }
    })
    .filter((held) => held.from < held.to)
}
