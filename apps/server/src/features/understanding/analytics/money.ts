import type { MoneyMonth } from '@voisol/contract/analytics'
import { monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Co2Factors, loadEnergyTotalsByPeriod, requirePeriod } from '../energy/energy.ts'
import { type AnalyticsFilter, splitIntoMonths } from './compare.ts'

/** Amounts invoiced to consumers by month of supply, beside the value of the energy they received. */
export async function listInvoicedByMonth(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: AnalyticsFilter,
): Promise<MoneyMonth[]> {
  requirePeriod(query)
  const periods = splitIntoMonths(query)
  const totals = await loadEnergyTotalsByPeriod(db, actor, factors, query.operationId, periods)
  const { rows } = await db.execute<{ month: string; invoiced: number; documents: number }>(sql`
    select date_trunc('month', from_day)::date::text as month, count(*)::int as documents,
           sum(case when kind = 'creditNote' then -net else net end)::float8 as invoiced
      from ${invoices}
     where ${invoices.companyId} = ${actor.companyId} and ${invoices.from} >= ${query.from} and ${invoices.from} < ${query.to}
       and ${invoices.kind} <> 'statement' and ${invoices.buyerId} is not null
       and ${withinOperationLimit(actor, invoices.operationId) ?? sql`true`}
       and ${query.operationId ? sql`${invoices.operationId} = ${query.operationId}` : sql`true`}
     group by 1`)
  const rowsByMonth = new Map(rows.map((row) => [row.month, row]))
  return periods.map(({ from }, at) => ({
    month: monthOf(from),
    invoiced: rowsByMonth.get(monthOf(from))?.invoiced ?? 0,
    documents: rowsByMonth.get(monthOf(from))?.documents ?? 0,
    valueCents: totals[at]?.valueCents ?? null,
  }))
}
