import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMonths } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { reviewMonth } from './look.ts'

/** The distributor has said something of the month since it was last looked at. */
const newQuantitiesSql = sql`exists (select 1 from distributor_quantities q
  where q.company_id = ${billingMonths.companyId} and q.operation_id = ${billingMonths.operationId}
    and q.from_day < ${billingMonths.month} + interval '1 month' and q.to_day > ${billingMonths.month}
    and greatest(q.received_at, coalesce(q.superseded_at, q.received_at))
        > coalesce(${billingMonths.lookedAt}, ${billingMonths.issuedAt}))`

/**
 * Cents are held until the buyer leaves or the year ends, of which no event tells: once a day it is seen whether it is time.
 * What somebody left without action since is left.
 */
const withheldDueSql = sql`coalesce(${billingMonths.lookedAt}, ${billingMonths.issuedAt}) < now() - interval '20 hours'
  and (select c.totals ->> 'waiting' = 'true'
              and not exists (select 1 from billing_reviews r
                where r.company_id = c.company_id and r.month_id = c.month_id and r.decided_at > c.created_at
                  and r.state = 'left')
         from billing_computations c
        where c.company_id = ${billingMonths.companyId} and c.month_id = ${billingMonths.id}
        order by c.number desc limit 1)`

/** What changed between its close and its issue was nobody's news: it is held against today's data once, soon after. */
const neverReviewedSql = sql`${billingMonths.lookedAt} is null and ${billingMonths.issuedAt} > now() - interval '2 days'`

const monthsToReviewSql = (more?: SQL) =>
  and(eq(billingMonths.status, 'issued'), or(newQuantitiesSql, withheldDueSql, neverReviewedSql), more)

/** A job for each company that has something to look at: one that has much keeps no other waiting. */
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
