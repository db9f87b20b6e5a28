import { sql } from 'drizzle-orm'
import { type Db, forCompany } from '../../../db/client.ts'
import { keepSums } from './keep-sums.ts'

/** The sums of every company that has marks. */
export async function keepLateSums(db: Db, signal: AbortSignal): Promise<void> {
  const { rows } = await db.execute<{ id: number }>(sql`select distinct company_id as id from sum_marks order by 1`)
  for (const { id } of rows) await keepSums(forCompany(db, id), id, signal)
}
