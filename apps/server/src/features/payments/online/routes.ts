import { online } from '@voisol/contract/online'
import type { PaymentEnvironment } from '@voisol/contract/online-views'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { getClientNetwork, getRequestOrigin } from '../../../http/client-address.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { loadSellers } from '../../billing/parties/index.ts'
import {
  cancelOnlinePayment,
  loadCheckout,
  loadPayableSellerIds,
  loadTestPayment,
  refundOnlinePayment,
  startOnlinePayment,
  startTestPayment,
} from './checkout.ts'
import {
  listOnlinePayments,
  listOnlineProviders,
  listUnmatchedNotices,
  loadOnlinePayment,
  loadProviderView,
} from './list-online-payments.ts'
import { addProvider, closeProvider, testProvider, updateProvider } from './manage-providers.ts'
import { receiveWebhook, settleUnmatchedNotice } from './process-notice.ts'
import type { ProviderRow } from './providers.ts'

const getCallOrigin = ({ request, config }: Pick<RouteContext, 'request' | 'config'>) =>
  getRequestOrigin(request, config.PUBLIC_URL)
const listEnvironments = ({ payments, config }: Deps): PaymentEnvironment[] => [
  ...(payments.hosts.local ? (['local'] as const) : []),
  'test',
  ...(config.production ? (['live'] as const) : []),
]
/** The audit log keeps the settings and the end of the key, never the key. */
const toAuditDetail = ({ environment, everyone, card, debit, hint }: ProviderRow) => ({
  environment,
  everyone,
  card,
  debit,
  hint,
})

export function registerOnlineRoutes(app: FastifyInstance) {
  registerProviderRoutes(app)
  registerOnlinePaymentRoutes(app)
  registerNoticeRoutes(app)
  registerTestPaymentRoutes(app)
}

function registerProviderRoutes(app: FastifyInstance) {
  addRoute(app, online.providers, async (_, ctx) => {
    const owners = (await loadSellers(ctx.db, ctx.actor.companyId)).map(({ id, name }) => ({ id, name }))
    return { items: await listOnlineProviders(ctx.db, ctx.actor), owners, environments: listEnvironments(ctx) }
  })
  addRoute(app, online.addProvider, async ({ body }, ctx) => {
    const row = await addProvider(ctx.db, ctx, ctx.actor, body, getCallOrigin(ctx))
    const after = await loadProviderView(ctx.db, row)
    ctx.note({ target: after.owner.name, detail: { after: toAuditDetail(row) } })
    return after
  })
  addRoute(app, online.updateProvider, async ({ params, body }, ctx) => {
    const { before, after } = await updateProvider(ctx.db, ctx, ctx.actor, params.id, body, getCallOrigin(ctx))
    const view = await loadProviderView(ctx.db, after)
    ctx.note({ target: view.owner.name, detail: { before: toAuditDetail(before), after: toAuditDetail(after) } })
    return view
  })
  addRoute(app, online.closeProvider, async ({ params }, { db, actor, note }) => {
    const row = await closeProvider(db, actor, params.id)
    note({ target: (await loadProviderView(db, row)).owner.name, detail: { before: toAuditDetail(row) } })
    return { success: true as const }
  })
  addRoute(app, online.testProvider, async ({ params }, ctx) => {
    const after = await loadProviderView(
      ctx.db,
      await testProvider(ctx.db, ctx, ctx.actor, params.id, getCallOrigin(ctx)),
    )
    ctx.note({ target: after.owner.name })
    return after
  })
}

function registerOnlinePaymentRoutes(app: FastifyInstance) {
  addRoute(app, online.sellers, async (_, { db, actor }) => ({
    sellerIds: await loadPayableSellerIds(db, actor),
  }))
  addRoute(app, online.checkout, ({ params }, { db, actor }) => loadCheckout(db, actor, params.invoiceId))
  addRoute(app, online.pay, async ({ params, body }, ctx) => {
    const made = await startOnlinePayment(ctx.db, ctx, ctx.actor, params.invoiceId, body, getCallOrigin(ctx))
    ctx.note({ target: made.invoice.number, detail: { after: body } })
    return made
  })
  addRoute(app, online.payments, async (_, { db, actor }) => ({ items: await listOnlinePayments(db, actor) }))
  addRoute(app, online.payment, ({ params }, { db, actor }) => loadOnlinePayment(db, actor, params.id))
  addRoute(app, online.cancel, async ({ params }, ctx) => {
    const after = await cancelOnlinePayment(ctx.db, ctx, ctx.actor, params.id)
    ctx.note({ target: after.invoice.number, detail: { after: { state: after.state } } })
    return after
  })
  addRoute(app, online.refund, async ({ params, body }, ctx) => {
    const refunded = await refundOnlinePayment(ctx.db, ctx, ctx.actor, params.id, body.amount)
    ctx.note({ target: refunded.invoice.number, detail: { after: body } })
    return refunded
  })
}

function registerNoticeRoutes(app: FastifyInstance) {
  addRoute(app, online.letters, async (_, { db, actor }) => ({ items: await listUnmatchedNotices(db, actor) }))
  addRoute(app, online.settleLetter, async ({ params, body }, { db, actor, note }) => {
    const eventId = await settleUnmatchedNotice(db, actor, params.id, body.note)
    note({ target: eventId, detail: { after: body } })
    return { success: true as const }
  })
  addRoute(app, online.webhook, async ({ params, upload }, ctx) => {
    const signature = String(ctx.request.headers['stripe-signature'] ?? '')
    return { received: await receiveWebhook(ctx.db, ctx, { ...params, body: upload, signature }) }
  })
}

function registerTestPaymentRoutes(app: FastifyInstance) {
  const throttleCall = (ctx: RouteContext<undefined>) =>
    throttle(ctx.aside, `trials ${getClientNetwork(ctx.request.ip)}`, 60, 600)
  addRoute(app, online.tryPay, async ({ body }, ctx) => {
    await throttleCall(ctx)
    return startTestPayment(ctx, body.method, getCallOrigin(ctx))
  })
  addRoute(app, online.trial, async ({ params }, ctx) => {
    await throttleCall(ctx)
    return loadTestPayment(ctx, params.id)
  })
}
