import { sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/queue.ts'

/** Sends for the sums of every company that has marks. */
export const askForSums = (db: Db): Promise<void> =>
  transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ id: number }>(sql`select distinct company_id as id from sum_marks order by 1`)
    for (const { id } of rows) await enqueue(tx, 'energy.sums', { companyId: id }, { once: `late ${id}` })
  })
