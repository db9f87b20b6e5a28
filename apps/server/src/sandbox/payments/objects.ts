import type { CheckoutSession, Dispute, Intent, Refund, SimulatedPaymentEvent } from './schemas.ts'

/** Objects in the provider's format, with the fields that are read. */
export const toSessionObject = (session: CheckoutSession, url: string) => ({
  id: session.id,
  object: 'checkout.session',
  mode: 'payment',
  amount_total: session.amount,
  currency: 'eur',
  client_reference_id: session.reference,
  created: session.created,
  expires_at: session.expires,
  payment_intent: session.intent,
  payment_status: session.status === 'complete' ? 'paid' : 'unpaid',
  status: session.status,
  url: session.status === 'open' ? `${url}/pay/${session.id}` : null,
  livemode: false,
})
export const toIntentObject = (intent: Intent) => ({
  id: intent.id,
  object: 'payment_intent',
  amount: intent.amount,
  amount_received: intent.status === 'succeeded' ? intent.amount : 0,
  currency: 'eur',
  created: intent.created,
  metadata: intent.metadata,
  payment_method_types: [intent.method],
  status: intent.status,
  latest_charge: `ch_${intent.id.slice(3)}`,
  last_payment_error: intent.error ? { code: 'card_declined', decline_code: intent.error } : null,
  livemode: false,
})
export const toRefundObject = (refund: Refund) => ({
  ...refund,
  intent: undefined,
  object: 'refund',
  currency: 'eur',
  payment_intent: refund.intent,
  reason: null,
})
export const toDisputeObject = (dispute: Dispute) => ({
  ...dispute,
  intent: undefined,
  object: 'dispute',
  currency: 'eur',
  payment_intent: dispute.intent,
})
export const toEventObject = ({ id, type, created, object }: SimulatedPaymentEvent) => ({
  id,
  object: 'event',
  api_version: '2026-10-28.endive',
  type,
  created,
  livemode: false,
  pending_webhooks: 1,
  data: { object },
})
