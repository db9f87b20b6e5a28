import type { Impact } from '@voisol/contract/effects'
import { sql } from 'drizzle-orm'
import type { TouchedMonth } from '../../../core/touched.ts'
import type { Db } from '../../../db/client.ts'

/** The definitive runs that the change makes outdated. */
export async function listDefinitiveRunsOutdated(
  db: Db,
  companyId: number,
  months: TouchedMonth[],
): Promise<Impact['outdated']> {
  const ids = [...new Set(months.flatMap(({ runIds }) => runIds))]
  if (!ids.length) return []
  const { rows } = await db.execute<Impact['outdated'][number]>(sql`
    select id, operation_id as "operationId", starts_on::text as "from", ends_on::text as "to" from allocation_runs
     where company_id = ${companyId} and id = any(${sql.param(ids)}::uuid[]) order by starts_on, id`)
  return rows
}
