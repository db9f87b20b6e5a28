import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type NewQuantities, storeDefinitiveQuantities } from '../reconciliation/reconciliation.ts'
import type { ParsedQuantities } from './found.ts'
import type { StoreFileInput } from './store.ts'

type QuantityPeriod = { companyId: number; pointId: string; from: string; to: string; at: Date }

/** Stores or withdraws quantities; returns how many concern known points and which are new. */
export async function storeParsedQuantities(
  tx: Db,
  { companyId, known, receivedAt }: StoreFileInput,
  found: ParsedQuantities[],
) {
  let count = 0
  const news: NewQuantities[] = []
  for (const { prm, direction, from, to, quantities, writtenAt } of found) {
    const pointId = known.find(prm, direction)
    if (!pointId) continue
    const period = { companyId, pointId, from, to, at: writtenAt ?? receivedAt }
    if (quantities.length === 0) await withdrawQuantities(tx, period)
    else if (!(await isWithdrawn(tx, period))) {
      const operationId = await findOperationOfPeriod(tx, period)
      const { written } = await storeDefinitiveQuantities(tx, {
        companyId,
        operationId,
        pointId,
        from,
        to,
        source: 'R15',
        quantities,
        receivedAt: period.at,
      })
      if (operationId && written > 0) news.push({ operationId, pointId, from, to })
    }
    count += quantities.length
  }
  return { count, news }
}

const whereSamePeriod = ({ companyId, pointId, from, to }: QuantityPeriod) =>
  sql`company_id = ${companyId} and point_id = ${pointId} and from_day = ${from}::date and to_day = ${to}::date and source = 'R15'`

const withdrawQuantities = (tx: Db, period: QuantityPeriod) =>
  tx.execute(sql`
    update distributor_quantities set superseded_at = ${period.at.toISOString()}::timestamptz
     where ${whereSamePeriod(period)} and superseded_at is null and received_at <= ${period.at.toISOString()}::timestamptz`)

/** An old file does not restore a reading that was replaced or withdrawn after it was written. */
async function isWithdrawn(tx: Db, period: QuantityPeriod): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from distributor_quantities
     where ${whereSamePeriod(period)} and superseded_at > ${period.at.toISOString()}::timestamptz limit 1`)
  return rows.length > 0
}

/** The operation that the point belonged to for most of the period. */
async function findOperationOfPeriod(tx: Db, { companyId, pointId, from, to }: QuantityPeriod): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select operation_id as id from participations
     where company_id = ${companyId} and point_id = ${pointId} and starts_on < ${to}::date
       and (ends_on is null or ends_on > ${from}::date)
     order by least(coalesce(ends_on, ${to}::date), ${to}::date) - greatest(starts_on, ${from}::date) desc, id limit 1`)
  return rows[0]?.id ?? null
}
