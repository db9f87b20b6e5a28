import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMonths } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { reviewMonth } from './look.ts'

/** Whether the distributor's quantities of the month changed since its last review. */
const newQuantitiesSql = sql`exists (select 1 from distributor_quantities q
  where q.company_id = ${billingMonths.companyId} and q.operation_id = ${billingMonths.operationId}
    and q.from_day < ${billingMonths.month} + interval '1 month' and q.to_day > ${billingMonths.month}
    and greatest(q.received_at, coalesce(q.superseded_at, q.received_at))
        > coalesce(${billingMonths.lookedAt}, ${billingMonths.issuedAt}))`

/**
 * Cents are withheld until the buyer leaves or the year ends, and no event announces either: a daily check finds when
 * they are due. A proposal that somebody dismissed since then stays dismissed.
 */
const withheldDueSql = sql`coalesce(${billingMonths.lookedAt}, ${billingMonths.issuedAt}) < now() - interval '20 hours'
  and (select c.totals ->> 'waiting' = 'true'
              and not exists (select 1 from billing_reviews r
                where r.company_id = c.company_id and r.month_id = c.month_id and r.decided_at > c.created_at
                  and r.state = 'left')
         from billing_computations c
        where c.company_id = ${billingMonths.companyId} and c.month_id = ${billingMonths.id}
        order by c.number desc limit 1)`

/** No event covers changes between the close and the issue, so a newly issued month is reviewed once soon after. */
const neverReviewedSql = sql`${billingMonths.lookedAt} is null and ${billingMonths.issuedAt} > now() - interval '2 days'`

const monthsToReviewSql = (more?: SQL) =>
  and(eq(billingMonths.status, 'issued'), or(newQuantitiesSql, withheldDueSql, neverReviewedSql), more)

/** Enqueues one job per company with months to review, so that a company with many does not delay the others. */
export async function enqueueMonthReviews({ db }: { db: Db }): Promise<void> {
  const rows = await db
    .selectDistinct({ companyId: billingMonths.companyId })
    .from(billingMonths)
    .where(monthsToReviewSql())
  for (const { companyId } of rows) await enqueue(db, 'corrections.news', { companyId }, { once: `${companyId}` })
}

export async function reviewChangedMonths(deps: Deps, { companyId }: { companyId: number }): Promise<void> {
  const rows = await deps.db
    .select()
    .from(billingMonths)
    .where(monthsToReviewSql(eq(billingMonths.companyId, companyId)))
    .orderBy(billingMonths.month)
  for (const row of rows) await reviewMonth(deps, row)
}
