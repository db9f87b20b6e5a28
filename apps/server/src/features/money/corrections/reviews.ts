import type { corrections } from '@voisol/contract/corrections'
import { CorrectionCause, CorrectionSummary, type Review } from '@voisol/contract/corrections'
import { and, count, desc, eq, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { findOperation, operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/list.ts'
import { billingMonths, billingReviews, operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

type Query = z.output<typeof corrections.list.query>

const joined = (db: Db, where: SQL | undefined) =>
  db
    .select({ review: billingReviews, month: billingMonths, operation: operations.name })
    .from(billingReviews)
    .innerJoin(
      billingMonths,
      and(eq(billingMonths.companyId, billingReviews.companyId), eq(billingMonths.id, billingReviews.monthId)),
    )
    .innerJoin(
      operations,
      and(eq(operations.companyId, billingMonths.companyId), eq(operations.id, billingMonths.operationId)),
    )
    .where(where)
    .$dynamic()

type Found = Awaited<ReturnType<typeof joined>>[number]

export const toReview = ({ review, month, operation }: Found): Review => ({
  id: review.id,
  monthId: month.id,
  operationId: month.operationId,
  operation,
  month: month.month,
  // The column holds only states of the contract.
  state: review.state as Review['state'],
  causes: CorrectionCause.array().parse(review.causes),
  summary: CorrectionSummary.parse(review.summary),
  raisedAt: review.raisedAt.toISOString(),
  decidedAt: review.decidedAt?.toISOString() ?? null,
  decidedBy: review.decidedBy,
  reason: review.reason,
})

export async function listReviews(db: Db, actor: Actor, query: Query) {
  if (query.operationId) await findOperation(db, actor, query.operationId)
  const where = and(
    operationScope(actor),
    query.operationId ? eq(operations.id, query.operationId) : undefined,
    query.state ? eq(billingReviews.state, query.state) : undefined,
  )
  const { limit, offset } = pageOf(query)
  const rows = await joined(db, where).orderBy(desc(billingReviews.raisedAt)).limit(limit).offset(offset)
  const counted = joined(db, where).as('counted')
  const [total] = await db.select({ total: count() }).from(counted)
  return { items: rows.map(toReview), total: total?.total ?? 0 }
}

export async function findReview(db: Db, actor: Actor, id: string): Promise<Found> {
  const [row] = await joined(db, and(operationScope(actor), eq(billingReviews.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}
