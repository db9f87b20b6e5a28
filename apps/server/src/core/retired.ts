import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { retiredCurves } from '../db/schema/index.ts'

/**
 * The first day of which a company still keeps the steps; null where it keeps them all. Before it each step is missing
 * and the sums of the days stand: they are neither computed again nor written over.
 */
export async function loadFirstRetainedDay(db: Db, companyId: number): Promise<string | null> {
  const [row] = await db
    .select({ before: retiredCurves.before })
    .from(retiredCurves)
    .where(eq(retiredCurves.companyId, companyId))
  return row?.before ?? null
}
