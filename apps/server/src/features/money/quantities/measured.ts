import { sql } from 'drizzle-orm'
import type { Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'

/** By day, what a point drew or injected over allocated steps, and the local part, in watt-minutes. */
export type MeasuredDays = { total: (number | null)[]; local: (number | null)[]; excluded: number[] }
type Row = { pointId: string; nth: number; total: string; local: string; excluded: number }

/** Every point of the operation under the runs in force. */
export async function loadMeasuredDays(
  db: Db,
  companyId: number,
  operationId: string,
  { from, to }: Period,
  length: number,
): Promise<Map<string, MeasuredDays>> {
  const { rows } = await db.execute<Row>(sql`
    select d.point_id as "pointId", (d.day - ${from}::date) as nth, d.total, d.local, d.excluded
      from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${companyId} and c.operation_id = ${operationId} and c.day >= ${from} and c.day < ${to}`)
  const byPoint = new Map<string, MeasuredDays>()
  for (const { pointId, nth, total, local, excluded } of rows) {
    const makeUnknownDays = () => Array.from({ length }, (): number | null => null)
    const own = byPoint.get(pointId) ?? {
      total: makeUnknownDays(),
      local: makeUnknownDays(),
      excluded: Array.from({ length }, () => 0),
    }
    own.total[nth] = Number(total)
    own.local[nth] = Number(local)
    own.excluded[nth] = excluded
    byPoint.set(pointId, own)
  }
  return byPoint
}
