import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { retiredCurves } from '../db/schema/index.ts'

/**
 * The first day whose steps a company still keeps; null when it keeps them all. Before it every step is missing and
 * only sums remain: they are neither computed again nor overwritten.
 */
export async function loadFirstRetainedDay(db: Db, companyId: number): Promise<string | null> {
  const [row] = await db
    .select({ before: retiredCurves.before })
    .from(retiredCurves)
    .where(eq(retiredCurves.companyId, companyId))
  return row?.before ?? null
}
