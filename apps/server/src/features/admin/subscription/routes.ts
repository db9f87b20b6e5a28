import { subscription } from '@voisol/contract/subscription'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import {
  buildDocumentFileName,
  DOCUMENT_MEDIA_TYPES,
  type DocumentFileKind,
  loadDocumentFile,
} from '../../billing/invoices/index.ts'
import { orderAddOn, stopAddOn } from './add-ons.ts'
import { choosePlan, leavePlan, quotePlan, refundPlan, resumePlan } from './change-plan.ts'
import type { SubscriptionRow } from './find-subscription.ts'
import {
  deliverAddOn,
  extendTrial,
  grantPlan,
  listPlatformInvoices,
  listSubscribers,
  loadPlatformInvoice,
} from './manage-subscribers.ts'
import { loadSubscriptionOverview, loadSubscriptionView } from './subscription-overview.ts'

export function subscriptionRoutes(app: FastifyInstance) {
  const replyWithSubscription = async ({ db, note }: RouteContext, row: SubscriptionRow) => {
    const { plan, period, state, paidTo, nextPlan } = row
    note({ target: plan ?? '', detail: { plan, period, state, paidTo, nextPlan } })
    return loadSubscriptionView(db, row)
  }
  addRoute(app, subscription.get, (_, { db, actor }) => loadSubscriptionOverview(db, actor))
  addRoute(app, subscription.quote, ({ query }, { db, actor }) => quotePlan(db, actor, query))
  addRoute(app, subscription.choose, async ({ body }, ctx) =>
    replyWithSubscription(ctx, await choosePlan(ctx.db, ctx, ctx.actor, body)),
  )
  addRoute(app, subscription.leave, async ({ body }, ctx) =>
    replyWithSubscription(ctx, await leavePlan(ctx.db, ctx, ctx.actor, body)),
  )
  addRoute(app, subscription.resume, async ({ body }, ctx) =>
    replyWithSubscription(ctx, await resumePlan(ctx.db, ctx, ctx.actor, body)),
  )
  addRoute(app, subscription.refund, async ({ body }, ctx) =>
    replyWithSubscription(ctx, await refundPlan(ctx.db, ctx, ctx.actor, body)),
  )
  addRoute(app, subscription.order, async ({ body }, ctx) => {
    const addOn = await orderAddOn(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: body.kind, detail: { price: addOn.price } })
    return addOn
  })
  addRoute(app, subscription.stop, async ({ params }, { db, actor, note }) => {
    const { kind, paidTo } = await stopAddOn(db, actor, params.id)
    note({ target: kind, detail: { paidTo } })
    return { success: true as const }
  })
  subscriptionDocumentRoutes(app)
  siteOwnerRoutes(app)
}

function subscriptionDocumentRoutes(app: FastifyInstance) {
  const renderDocument = async (ctx: RouteContext, id: string, kind: DocumentFileKind) => {
    const invoice = await loadPlatformInvoice(ctx.db, ctx.actor, id)
    const content = await loadDocumentFile(ctx, invoice, kind)
    return { name: buildDocumentFileName(invoice.snapshot, kind), type: DOCUMENT_MEDIA_TYPES[kind], content }
  }
  addRoute(app, subscription.invoices, async (_, { db, actor }) => ({ items: await listPlatformInvoices(db, actor) }))
  addRoute(app, subscription.pdf, ({ params }, ctx) => renderDocument(ctx, params.id, 'pdf'))
  addRoute(app, subscription.xml, ({ params }, ctx) => renderDocument(ctx, params.id, 'xml'))
}

/** Routes for the company that operates the installation: only its roles can have the `installation` permissions. */
function siteOwnerRoutes(app: FastifyInstance) {
  addRoute(app, subscription.companies, async (_, { db }) => ({ items: await listSubscribers(db) }))
  addRoute(app, subscription.grant, async ({ params, body }, ctx) => {
    const after = await grantPlan(ctx.db, ctx, ctx.actor, params.companyId, body)
    ctx.note({ target: after.name, detail: { companyId: params.companyId, ...body } })
    return after
  })
  addRoute(app, subscription.extend, async ({ params, body }, { db, actor, note }) => {
    const after = await extendTrial(db, actor, params.companyId, body)
    note({ target: after.name, detail: { companyId: params.companyId, lastDay: body.lastDay } })
    return after
  })
  addRoute(app, subscription.deliver, async ({ params }, { db, actor, note }) => {
    const after = await deliverAddOn(db, actor, params.companyId, params.id)
    note({ target: after.name, detail: { companyId: params.companyId, addOnId: params.id } })
    return after
  })
}
