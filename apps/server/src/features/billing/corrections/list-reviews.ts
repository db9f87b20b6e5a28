import type { corrections } from '@voisol/contract/corrections'
import { CorrectionCause, CorrectionSummary, type Review } from '@voisol/contract/corrections'
import type { InvoiceKind } from '@voisol/contract/money'
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope, requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list-query.ts'
import { billingComputations, billingMonths, billingReviews, invoices, operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

type ReviewQuery = z.output<typeof corrections.list.query>

const selectReviews = (db: Db, where: SQL | undefined) =>
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

type ReviewRow = Awaited<ReturnType<typeof selectReviews>>[number]

export const toReview = ({ review, month, operation }: ReviewRow): Review => ({
  id: review.id,
  monthId: month.id,
  operationId: month.operationId,
  operation,
  month: month.month,
  // The column only stores states of the contract.
  state: review.state as Review['state'],
  causes: CorrectionCause.array().parse(review.causes),
  summary: CorrectionSummary.parse(review.summary),
  raisedAt: review.raisedAt.toISOString(),
  decidedAt: review.decidedAt?.toISOString() ?? null,
  decidedBy: review.decidedBy,
  reason: review.reason,
})

export async function listReviews(db: Db, actor: Actor, query: ReviewQuery) {
  if (query.operationId) await requireVisibleOperation(db, actor, query.operationId)
  const where = and(
    operationScope(actor),
    query.operationId ? eq(operations.id, query.operationId) : undefined,
    query.state ? eq(billingReviews.state, query.state) : undefined,
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectReviews(db, where).orderBy(desc(billingReviews.raisedAt)).limit(limit).offset(offset)
  const counted = selectReviews(db, where).as('counted')
  const [total] = await db.select({ total: count() }).from(counted)
  return { items: rows.map(toReview), total: total?.total ?? 0 }
}

/** The documents issued by a review's corrections. */
export async function loadReviewDocuments(db: Db, { companyId }: Actor, reviewId: string) {
  const rows = await db
    .select({
      id: invoices.id,
      number: invoices.number,
      kind: invoices.kind,
      gross: invoices.gross,
      buyer: sql<string>`${invoices.snapshot} -> 'buyer' ->> 'name'`,
    })
    .from(invoices)
    .innerJoin(
      billingComputations,
      and(eq(billingComputations.companyId, invoices.companyId), eq(billingComputations.id, invoices.computationId)),
    )
    .where(and(eq(invoices.companyId, companyId), sql`${billingComputations.cause} ->> 'reviewId' = ${reviewId}`))
    .orderBy(invoices.number)
  // The column only stores kinds of the contract.
  return rows.map((row) => ({ ...row, kind: row.kind as InvoiceKind }))
}

export async function loadReview(db: Db, actor: Actor, id: string): Promise<ReviewRow> {
  const [row] = await selectReviews(db, and(operationScope(actor), eq(billingReviews.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}
