import { online } from '@voisol/contract/online'
import type { PaymentEnvironment } from '@voisol/contract/online-views'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { networkOf } from '../../../http/network.ts'
import { originOf } from '../../../http/origin.ts'
import { type Context, route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { sellersOf } from '../parties/parties.ts'
import { cancelPayment, checkoutOf, openPayment, payableSellers, refundPayment } from './checkout.ts'
import { settleLetter } from './letters.ts'
import { addProvider, closeProvider, testProvider, updateProvider } from './manage.ts'
import type { ProviderRow } from './providers.ts'
import { trialOf, tryPay } from './trials.ts'
import { getPayment, listLetters, listPayments, listProviders, viewProvider } from './view.ts'
import { receive } from './webhook.ts'

const originOfCall = ({ request, config }: Pick<Context, 'request' | 'config'>) => originOf(request, config.PUBLIC_URL)
const environments = ({ payments, config }: Deps): PaymentEnvironment[] => [
  ...(payments.hosts.local ? (['local'] as const) : []),
  'test',
  ...(config.production ? (['live'] as const) : []),
]
/** The log keeps what was chosen and the end of the key, never the key. */
const facts = ({ environment, everyone, card, debit, hint }: ProviderRow) => ({
  environment,
  everyone,
  card,
  debit,
  hint,
})

export function onlineRoutes(app: FastifyInstance) {
  providerRoutes(app)
  paymentRoutes(app)
  letterRoutes(app)
  trialRoutes(app)
}

function providerRoutes(app: FastifyInstance) {
  route(app, online.providers, async (_, ctx) => {
    const owners = (await sellersOf(ctx.db, ctx.actor.companyId)).map(({ id, name }) => ({ id, name }))
    return { items: await listProviders(ctx.db, ctx.actor), owners, environments: environments(ctx) }
  })
  route(app, online.addProvider, async ({ body }, ctx) => {
    const row = await addProvider(ctx.db, ctx, ctx.actor, body, originOfCall(ctx))
    const after = await viewProvider(ctx.db, row)
    ctx.note({ target: after.owner.name, detail: { after: facts(row) } })
    return after
  })
  route(app, online.updateProvider, async ({ params, body }, ctx) => {
    const { before, after } = await updateProvider(ctx.db, ctx, ctx.actor, params.id, body, originOfCall(ctx))
    const view = await viewProvider(ctx.db, after)
    ctx.note({ target: view.owner.name, detail: { before: facts(before), after: facts(after) } })
    return view
  })
  route(app, online.closeProvider, async ({ params }, { db, actor, note }) => {
    const row = await closeProvider(db, actor, params.id)
    note({ target: (await viewProvider(db, row)).owner.name, detail: { before: facts(row) } })
    return { success: true as const }
  })
  route(app, online.testProvider, async ({ params }, ctx) => {
    const after = await viewProvider(ctx.db, await testProvider(ctx.db, ctx, ctx.actor, params.id, originOfCall(ctx)))
    ctx.note({ target: after.owner.name })
    return after
  })
}

function paymentRoutes(app: FastifyInstance) {
  route(app, online.sellers, async (_, { db, actor }) => ({
    sellerIds: await payableSellers(db, actor),
  }))
  route(app, online.checkout, ({ params }, { db, actor }) => checkoutOf(db, actor, params.invoiceId))
  route(app, online.pay, async ({ params, body }, ctx) => {
    const made = await openPayment(ctx.db, ctx, ctx.actor, params.invoiceId, body, originOfCall(ctx))
    ctx.note({ target: made.invoice.number, detail: { after: body } })
    return made
  })
  route(app, online.payments, async (_, { db, actor }) => ({ items: await listPayments(db, actor) }))
  route(app, online.payment, ({ params }, { db, actor }) => getPayment(db, actor, params.id))
  route(app, online.cancel, async ({ params }, ctx) => {
    const after = await cancelPayment(ctx.db, ctx, ctx.actor, params.id)
    ctx.note({ target: after.invoice.number, detail: { after: { state: after.state } } })
    return after
  })
  route(app, online.refund, async ({ params, body }, ctx) => {
    const asked = await refundPayment(ctx.db, ctx, ctx.actor, params.id, body.amount)
    ctx.note({ target: asked.invoice.number, detail: { after: body } })
    return asked
  })
}

function letterRoutes(app: FastifyInstance) {
  route(app, online.letters, async (_, { db, actor }) => ({ items: await listLetters(db, actor) }))
  route(app, online.settleLetter, async ({ params, body }, { db, actor, note }) => {
    const eventId = await settleLetter(db, actor, params.id, body.note)
    note({ target: eventId, detail: { after: body } })
    return { success: true as const }
  })
  route(app, online.webhook, async ({ params, upload }, ctx) => {
    const signature = String(ctx.request.headers['stripe-signature'] ?? '')
    return { received: await receive(ctx.db, ctx, { ...params, body: upload, signature }) }
  })
}

function trialRoutes(app: FastifyInstance) {
  const counted = (ctx: Context<undefined>) => throttle(ctx.aside, `trials ${networkOf(ctx.request.ip)}`, 60, 600)
  route(app, online.tryPay, async ({ body }, ctx) => {
    await counted(ctx)
    return tryPay(ctx, body.method, originOfCall(ctx))
  })
  route(app, online.trial, async ({ params }, ctx) => {
    await counted(ctx)
    return trialOf(ctx, params.id)
  })
}
