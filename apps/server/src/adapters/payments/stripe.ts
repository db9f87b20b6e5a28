import Stripe from 'stripe'
import { paymentError } from './faults.ts'
import { intentNotice, movedNotice, noticeOf, TOLD } from './notices.ts'
import type { Checkout, Notice, OnlineProvider, Order } from './types.ts'

type Where = { host: string; key: string }
/** A person waits for the answer. */
const TIMEOUT_MS = 15_000
const OPEN_S = 3600
const METHODS = { card: 'card', debit: 'sepa_debit' } as const

function clientOf({ host, key }: Where): Stripe {
  const { hostname, port, protocol } = new URL(host)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return new Stripe(key, {
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
    protocol: scheme,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

const createCheckout = async (stripe: Stripe, order: Order): Promise<Checkout> => {
  const item = { currency: 'eur', unit_amount: order.amount, product_data: { name: order.label } }
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      locale: 'fr',
      allowed_payment_method_types: [METHODS[order.method]],
      line_items: [{ quantity: 1, price_data: item }],
      client_reference_id: order.reference,
      payment_intent_data: { metadata: { payment: order.reference }, description: order.label },
      success_url: order.successUrl,
      cancel_url: order.cancelUrl,
      expires_at: Math.floor(Date.now() / 1000) + OPEN_S,
      ...(order.email && { customer_email: order.email }),
    },
    { idempotencyKey: `checkout-${order.reference}` },
  )
  return { id: session.id, url: session.url ?? '', expiresAt: new Date(session.expires_at * 1000) }
}

const STATES: Record<string, 'paid' | 'processing' | 'expired' | 'failed'> = {
  succeeded: 'paid',
  processing: 'processing',
  canceled: 'expired',
  requires_payment_method: 'failed',
}

/** A page that is no longer open, as its message would have named it. */
const OVER: Record<string, string> = { complete: 'completed', expired: 'expired' }

/** What was asked for instead of told: the names are made of what is known, so that asking twice tells nothing twice. */
const asked = (what: string, at: Date) => ({ id: `asked:${what}`, type: 'asked', at })

async function movesOf(stripe: Stripe, intent: string): Promise<Notice[]> {
  const [refunds, disputes] = [
    await stripe.refunds.list({ payment_intent: intent, limit: 100 }),
    await stripe.disputes.list({ payment_intent: intent, limit: 100 }),
  ]
  const at = ({ created }: { created: number }) => new Date(created * 1000)
  return [
    ...refunds.data.map((one) => movedNotice(asked(`${one.id}:${one.status}`, at(one)), one, 'refund')),
    ...disputes.data.flatMap((one) => {
      const taken = movedNotice(asked(`${one.id}:withdrawn`, at(one)), one, 'withdrawn')
      const back = movedNotice(asked(`${one.id}:reinstated`, at(one)), one, 'reinstated')
      if (one.status.startsWith('warning')) return []
      return one.status === 'won' ? [taken, back] : [taken]
    }),
  ]
}

async function fetchCheckout(stripe: Stripe, id: string): Promise<Notice[]> {
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] })
  const at = new Date(session.created * 1000)
  const data = { object: { ...session, object: 'checkout.session' } }
  const over = session.status && OVER[session.status]
  const told = { id: `asked:${id}:${over}`, type: `checkout.session.${over}`, created: session.created, data }
  const own = over ? [noticeOf(told)] : []
  const intent = session.payment_intent
  if (!intent || typeof intent === 'string') return own
  const kind = STATES[intent.status]
  // A card that was refused leaves the page open; only what is over is a failure.
  const known = kind && !(kind === 'failed' && (session.status === 'open' || !intent.last_payment_error))
  const now = known ? [intentNotice(asked(`${intent.id}:${intent.status}`, at), intent, kind)] : []
  return [...own, ...now, ...(kind === 'paid' ? await movesOf(stripe, intent.id) : [])]
}

/** The provider behind one key. Whatever goes wrong is a `PaymentError`. */
export function openStripe(where: Where): OnlineProvider {
  const stripe = clientOf(where)
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw paymentError(error)
    }
  }
  return {
    check: () =>
      guarded(async () => {
        const account = await stripe.accounts.retrieveCurrent()
        return { account: account.id, name: account.settings?.dashboard.display_name ?? '' }
      }),
    listen: (url) =>
      guarded(async () => {
        type Told = Stripe.WebhookEndpointCreateParams.EnabledEvent
        const made = await stripe.webhookEndpoints.create({ url, enabled_events: TOLD as Told[] }) // names of its own table
        return { id: made.id, secret: made.secret ?? '' }
      }),
    unlisten: (id) => guarded(async () => void (await stripe.webhookEndpoints.del(id))),
    createCheckout: (order) => guarded(() => createCheckout(stripe, order)),
    closeCheckout: (id) => guarded(async () => void (await stripe.checkout.sessions.expire(id))),
    fetch: (id) => guarded(() => fetchCheckout(stripe, id)),
    since: (at) =>
      guarded(async () => {
        const created = { gte: Math.floor(at.getTime() / 1000) }
        const events = await stripe.events
          .list({ created, types: TOLD, limit: 100 })
          .autoPagingToArray({ limit: 10_000 })
        return events.map(noticeOf)
      }),
    refund: ({ intent, amount, key }) =>
      guarded(
        async () => void (await stripe.refunds.create({ payment_intent: intent, amount }, { idempotencyKey: key })),
      ),
  }
}
