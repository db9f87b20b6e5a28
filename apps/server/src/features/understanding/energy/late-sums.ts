import { sql } from 'drizzle-orm'
import { type Db, scopeToCompany } from '../../../db/client.ts'
import { refreshRollups } from './keep-sums.ts'

/** The rollups of every company with marks. */
export async function refreshRollupsOfAllCompanies(db: Db, signal: AbortSignal): Promise<void> {
  const { rows } = await db.execute<{ id: number }>(sql`select distinct company_id as id from sum_marks order by 1`)
  for (const { id } of rows) await refreshRollups(scopeToCompany(db, id), id, signal)
}
