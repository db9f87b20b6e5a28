import Stripe from 'stripe'
import {
  SUBSCRIBED_PAYMENT_EVENTS,
  toIntentNotice,
  toPaymentNotice,
  toRefundOrDisputeNotice,
} from './payment-notices.ts'
import {
  type OnlineProvider,
  type PaymentCheckout,
  type PaymentNotice,
  type PaymentOrder,
  toPaymentError,
} from './payment-provider.ts'

type StripeConnection = { host: string; key: string }
/** Short, because a person waits for the answer. */
const TIMEOUT_MS = 15_000
const CHECKOUT_LIFETIME_SECONDS = 3600
const METHODS = { card: 'card', debit: 'sepa_debit' } as const

function createClient({ host, key }: StripeConnection): Stripe {
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

const createCheckout = async (stripe: Stripe, order: PaymentOrder): Promise<PaymentCheckout> => {
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
      expires_at: Math.floor(Date.now() / 1000) + CHECKOUT_LIFETIME_SECONDS,
      ...(order.email && { customer_email: order.email }),
    },
    { idempotencyKey: `checkout-${order.reference}` },
  )
  return { id: session.id, url: session.url ?? '', expiresAt: new Date(session.expires_at * 1000) }
}

const FACT_KIND_BY_STATE: Record<string, 'paid' | 'processing' | 'expired' | 'failed'> = {
  succeeded: 'paid',
  processing: 'processing',
  canceled: 'expired',
  requires_payment_method: 'failed',
}

/** The event that a closed checkout page would have sent. */
const CLOSED_SESSION_EVENTS: Record<string, string> = { complete: 'completed', expired: 'expired' }

/**
 * For state fetched by a query instead of a message: the id is derived from the state, so that two queries give the
 * same ids.
 */
const buildQueriedHeader = (what: string, at: Date) => ({ id: `asked:${what}`, type: 'asked', at })

async function listRefundsAndDisputes(stripe: Stripe, intent: string): Promise<PaymentNotice[]> {
  const [refunds, disputes] = [
    await stripe.refunds.list({ payment_intent: intent, limit: 100 }),
    await stripe.disputes.list({ payment_intent: intent, limit: 100 }),
  ]
  const at = ({ created }: { created: number }) => new Date(created * 1000)
  return [
    ...refunds.data.map((one) =>
      toRefundOrDisputeNotice(buildQueriedHeader(`${one.id}:${one.status}`, at(one)), one, 'refund'),
    ),
    ...disputes.data.flatMap((one) => {
      const taken = toRefundOrDisputeNotice(buildQueriedHeader(`${one.id}:withdrawn`, at(one)), one, 'withdrawn')
      const back = toRefundOrDisputeNotice(buildQueriedHeader(`${one.id}:reinstated`, at(one)), one, 'reinstated')
      if (one.status.startsWith('warning')) return []
      return one.status === 'won' ? [taken, back] : [taken]
    }),
  ]
}

async function fetchCheckout(stripe: Stripe, id: string): Promise<PaymentNotice[]> {
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] })
  const at = new Date(session.created * 1000)
  const data = { object: { ...session, object: 'checkout.session' } }
  const over = session.status && CLOSED_SESSION_EVENTS[session.status]
  const told = { id: `asked:${id}:${over}`, type: `checkout.session.${over}`, created: session.created, data }
  const own = over ? [toPaymentNotice(told)] : []
  const intent = session.payment_intent
  if (!intent || typeof intent === 'string') return own
  const kind = FACT_KIND_BY_STATE[intent.status]
  // A refused card leaves the page open: it is a failure only once the page is closed.
  const known = kind && !(kind === 'failed' && (session.status === 'open' || !intent.last_payment_error))
  const now = known ? [toIntentNotice(buildQueriedHeader(`${intent.id}:${intent.status}`, at), intent, kind)] : []
  return [...own, ...now, ...(kind === 'paid' ? await listRefundsAndDisputes(stripe, intent.id) : [])]
}

/** The provider for one key. Every failure is a `PaymentError`. */
export function createStripeProvider(where: StripeConnection): OnlineProvider {
  const stripe = createClient(where)
  const withPaymentErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw toPaymentError(error)
    }
  }
  return {
    check: () =>
      withPaymentErrors(async () => {
        const account = await stripe.accounts.retrieveCurrent()
        return { account: account.id, name: account.settings?.dashboard.display_name ?? '' }
      }),
    listen: (url) =>
      withPaymentErrors(async () => {
        type Told = Stripe.WebhookEndpointCreateParams.EnabledEvent
        const made = await stripe.webhookEndpoints.create({ url, enabled_events: SUBSCRIBED_PAYMENT_EVENTS as Told[] }) // names of its own table
        return { id: made.id, secret: made.secret ?? '' }
      }),
    unlisten: (id) => withPaymentErrors(async () => void (await stripe.webhookEndpoints.del(id))),
    createCheckout: (order) => withPaymentErrors(() => createCheckout(stripe, order)),
    closeCheckout: (id) => withPaymentErrors(async () => void (await stripe.checkout.sessions.expire(id))),
    fetch: (id) => withPaymentErrors(() => fetchCheckout(stripe, id)),
    since: (at) =>
      withPaymentErrors(async () => {
        const created = { gte: Math.floor(at.getTime() / 1000) }
        const events = await stripe.events
          .list({ created, types: SUBSCRIBED_PAYMENT_EVENTS, limit: 100 })
          .autoPagingToArray({ limit: 10_000 })
        return events.map(toPaymentNotice)
      }),
    refund: ({ intent, amount, key }) =>
      withPaymentErrors(
        async () => void (await stripe.refunds.create({ payment_intent: intent, amount }, { idempotencyKey: key })),
      ),
  }
}
