import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { keepQuantities, type QuantityNews } from '../reconciliation/reconciliation.ts'
import type { FoundQuantities } from './found.ts'
import type { Writing } from './store.ts'

type Period = { companyId: number; pointId: string; from: string; to: string; at: Date }

/** Keeps what was attributed, or takes it back: how many quantities the file says of our points, and what is new of them. */
export async function storeQuantities(tx: Db, { companyId, known, receivedAt }: Writing, found: FoundQuantities[]) {
  let count = 0
  const news: QuantityNews[] = []
  for (const { prm, direction, from, to, quantities, writtenAt } of found) {
    const pointId = known.find(prm, direction)
    if (!pointId) continue
    const period = { companyId, pointId, from, to, at: writtenAt ?? receivedAt }
    if (quantities.length === 0) await takeBack(tx, period)
    else if (!(await isTakenBack(tx, period))) {
      const operationId = await operationOf(tx, period)
      const { written } = await keepQuantities(tx, {
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

const periodIs = ({ companyId, pointId, from, to }: Period) =>
  sql`company_id = ${companyId} and point_id = ${pointId} and from_day = ${from}::date and to_day = ${to}::date and source = 'R15'`

const takeBack = (tx: Db, period: Period) =>
  tx.execute(sql`
    update distributor_quantities set superseded_at = ${period.at.toISOString()}::timestamptz
     where ${periodIs(period)} and superseded_at is null and received_at <= ${period.at.toISOString()}::timestamptz`)

/** A reading that was replaced or taken back after it was written does not come back with an old file. */
async function isTakenBack(tx: Db, period: Period): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from distributor_quantities
     where ${periodIs(period)} and superseded_at > ${period.at.toISOString()}::timestamptz limit 1`)
  return rows.length > 0
}

/** The operation that the point was in over most of the period. */
async function operationOf(tx: Db, { companyId, pointId, from, to }: Period): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select operation_id as id from participations
     where company_id = ${companyId} and point_id = ${pointId} and starts_on < ${to}::date
       and (ends_on is null or ends_on > ${from}::date)
     order by least(coalesce(ends_on, ${to}::date), ${to}::date) - greatest(starts_on, ${from}::date) desc, id limit 1`)
  return rows[0]?.id ?? null
}
