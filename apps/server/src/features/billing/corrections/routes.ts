import { corrections } from '@voisol/contract/corrections'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { computeProposal } from './correction-proposal.ts'
import { CANNOT_RECOMPUTE_MESSAGE, cancelInvoice, dismissReview, issueReview } from './issue-correction.ts'
import { listReviews, loadReview, loadReviewDocuments, toReview } from './list-reviews.ts'
import { listWithheld } from './withheld-amounts.ts'

const buildAuditTarget = ({ operation, month }: { operation: string; month: string }) =>
  `Régularisation ${month.slice(0, 7)}, ${operation}`

export function registerCorrectionRoutes(app: FastifyInstance) {
  addRoute(app, corrections.list, ({ query }, { db, actor }) => listReviews(db, actor, query))

  addRoute(app, corrections.held, ({ query }, { db, actor }) => listWithheld(db, actor, query))

  addRoute(app, corrections.get, async ({ params }, ctx) => {
    const found = await loadReview(ctx.db, ctx.actor, params.id)
    const review = toReview(found)
    if (review.state !== 'open')
      return { ...review, changes: [], seal: '', documents: await loadReviewDocuments(ctx.db, ctx.actor, review.id) }
    const proposal = await computeProposal(ctx, ctx.db, found.month)
    if (!proposal) throw new AppError('conflict', { message: CANNOT_RECOMPUTE_MESSAGE })
    const { causes, summary, changes, seal } = proposal
    return { ...review, causes, summary, changes, seal, documents: [] }
  })

  addRoute(app, corrections.issue, async ({ params, body }, ctx) => {
    const review = await issueReview(ctx, ctx.db, ctx.actor, params.id, body.seal)
    ctx.note({ target: buildAuditTarget(review), detail: { operationId: review.operationId, issued: review.issued } })
    return review
  })

  addRoute(app, corrections.leave, async ({ params, body }, ctx) => {
    const review = await dismissReview(ctx.db, ctx.actor, params.id, body.reason)
    ctx.note({ target: buildAuditTarget(review), detail: { operationId: review.operationId, reason: body.reason } })
    return review
  })

  addRoute(app, corrections.cancel, async ({ body }, ctx) => {
    const { id, number, operationId } = await cancelInvoice(ctx, ctx.db, ctx.actor, body)
    ctx.note({ target: `Facture ${number}`, detail: { operationId, reason: body.reason } })
    return { id }
  })
}
