import { subscription } from '@voisol/contract/subscription'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { PAPER_TYPES, type PaperKind, paperName, paperOf } from '../../money/invoices/invoices.ts'
import { orderAddOn, stopAddOn } from './add-ons.ts'
import { choosePlan, leavePlan, quoteFor, resumePlan } from './choose.ts'
import type { SubscriptionRow } from './find.ts'
import { listPlatformInvoices, platformInvoice } from './invoices.ts'
import { deliverAddOn, extendTrial, grantPlan, listSubscribers } from './keeper.ts'
import { refundPlan } from './refund.ts'
import { getSubscription, viewOf } from './view.ts'

export function subscriptionRoutes(app: FastifyInstance) {
  const said = async ({ db, note }: Context, row: SubscriptionRow) => {
    const { plan, period, state, paidTo, nextPlan } = row
    note({ target: plan ?? '', detail: { plan, period, state, paidTo, nextPlan } })
    return viewOf(db, row)
  }
  route(app, subscription.get, (_, { db, actor }) => getSubscription(db, actor))
  route(app, subscription.quote, ({ query }, { db, actor }) => quoteFor(db, actor, query))
  route(app, subscription.choose, async ({ body }, ctx) => said(ctx, await choosePlan(ctx.db, ctx, ctx.actor, body)))
  route(app, subscription.leave, async ({ body }, ctx) => said(ctx, await leavePlan(ctx.db, ctx, ctx.actor, body)))
  route(app, subscription.resume, async ({ body }, ctx) => said(ctx, await resumePlan(ctx.db, ctx, ctx.actor, body)))
  route(app, subscription.refund, async ({ body }, ctx) => said(ctx, await refundPlan(ctx.db, ctx, ctx.actor, body)))
  route(app, subscription.order, async ({ body }, ctx) => {
    const addOn = await orderAddOn(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: body.kind, detail: { price: addOn.price } })
    return addOn
  })
  route(app, subscription.stop, async ({ params }, { db, actor, note }) => {
    const { kind, paidTo } = await stopAddOn(db, actor, params.id)
    note({ target: kind, detail: { paidTo } })
    return { success: true as const }
  })
  paperRoutes(app)
  keeperRoutes(app)
}

function paperRoutes(app: FastifyInstance) {
  const paper = async (ctx: Context, id: string, kind: PaperKind) => {
    const invoice = await platformInvoice(ctx.db, ctx.actor, id)
    const content = await paperOf(ctx, invoice, kind)
    return { name: paperName(invoice.snapshot, kind), type: PAPER_TYPES[kind], content }
  }
  route(app, subscription.invoices, async (_, { db, actor }) => ({ items: await listPlatformInvoices(db, actor) }))
  route(app, subscription.pdf, ({ params }, ctx) => paper(ctx, params.id, 'pdf'))
  route(app, subscription.xml, ({ params }, ctx) => paper(ctx, params.id, 'xml'))
}

/** Of the company that keeps the installation: `installation` exists nowhere else. */
function keeperRoutes(app: FastifyInstance) {
  route(app, subscription.companies, async (_, { db }) => ({ items: await listSubscribers(db) }))
  route(app, subscription.grant, async ({ params, body }, ctx) => {
    const after = await grantPlan(ctx.db, ctx, ctx.actor, params.companyId, body)
    ctx.note({ target: after.name, detail: { companyId: params.companyId, ...body } })
    return after
  })
  route(app, subscription.extend, async ({ params, body }, { db, actor, note }) => {
    const after = await extendTrial(db, actor, params.companyId, body)
    note({ target: after.name, detail: { companyId: params.companyId, lastDay: body.lastDay } })
    return after
  })
  route(app, subscription.deliver, async ({ params }, { db, actor, note }) => {
    const after = await deliverAddOn(db, actor, params.companyId, params.id)
    note({ target: after.name, detail: { companyId: params.companyId, addOnId: params.id } })
    return after
  })
}
