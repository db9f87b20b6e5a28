import { corrections } from '@voisol/contract/corrections'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { cancelInvoice } from './cancel.ts'
import { listHeld } from './held.ts'
import { CANNOT, issueReview, leaveReview } from './issue.ts'
import { proposalFor } from './proposal.ts'
import { documentsOf, findReview, listReviews, toReview } from './reviews.ts'

const target = ({ operation, month }: { operation: string; month: string }) =>
  `Régularisation ${month.slice(0, 7)}, ${operation}`

export function correctionRoutes(app: FastifyInstance) {
  route(app, corrections.list, ({ query }, { db, actor }) => listReviews(db, actor, query))

  route(app, corrections.held, ({ query }, { db, actor }) => listHeld(db, actor, query))

  route(app, corrections.get, async ({ params }, ctx) => {
    const found = await findReview(ctx.db, ctx.actor, params.id)
    const review = toReview(found)
    if (review.state !== 'open')
      return { ...review, changes: [], seal: '', documents: await documentsOf(ctx.db, ctx.actor, review.id) }
    const proposal = await proposalFor(ctx, ctx.db, found.month)
    if (!proposal) throw new AppError('conflict', { message: CANNOT })
    const { causes, summary, changes, seal } = proposal
    return { ...review, causes, summary, changes, seal, documents: [] }
  })

  route(app, corrections.issue, async ({ params, body }, ctx) => {
    const review = await issueReview(ctx, ctx.db, ctx.actor, params.id, body.seal)
    ctx.note({ target: target(review), detail: { operationId: review.operationId, issued: review.issued } })
    return review
  })

  route(app, corrections.leave, async ({ params, body }, ctx) => {
    const review = await leaveReview(ctx.db, ctx.actor, params.id, body.reason)
    ctx.note({ target: target(review), detail: { operationId: review.operationId, reason: body.reason } })
    return review
  })

  route(app, corrections.cancel, async ({ body }, ctx) => {
    const { id, number, operationId } = await cancelInvoice(ctx, ctx.db, ctx.actor, body)
    ctx.note({ target: `Facture ${number}`, detail: { operationId, reason: body.reason } })
    return { id }
  })
}
