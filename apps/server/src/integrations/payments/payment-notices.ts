import Stripe from 'stripe'
import { z } from 'zod'
import { ForgedNotice, type PaymentFact, type PaymentFactKind, type PaymentNotice } from './payment-provider.ts'

const IdOrObject = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish()
const Metadata = z.record(z.string(), z.string()).nullish()
const Session = z.object({
  id: z.string(),
  payment_intent: IdOrObject,
  client_reference_id: z.string().nullish(),
  status: z.string().nullish(),
})
const Intent = z.object({
  id: z.string(),
  status: z.string(),
  currency: z.string(),
  amount: z.int(),
  amount_received: z.int().default(0),
  metadata: Metadata,
  latest_charge: IdOrObject,
  last_payment_error: z.object({ code: z.string().nullish(), decline_code: z.string().nullish() }).nullish(),
})
/** A refund or a dispute. */
const RefundOrDispute = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  payment_intent: IdOrObject,
  status: z.string().nullish(),
  reason: z.string().nullish(),
})
const Event = z.object({
  id: z.string().min(1).max(200),
  type: z.string().max(100),
  created: z.int(),
  data: z.object({ object: z.looseObject({ object: z.string() }) }),
})

const INTENTS: Record<string, PaymentFactKind> = {
  'payment_intent.processing': 'processing',
  'payment_intent.succeeded': 'paid',
  'payment_intent.payment_failed': 'failed',
  'payment_intent.canceled': 'expired',
}
const SESSIONS: Record<string, PaymentFactKind> = {
  'checkout.session.completed': 'completed',
  'checkout.session.expired': 'expired',
}
const DISPUTES: Record<string, PaymentFactKind> = {
  'charge.dispute.funds_withdrawn': 'withdrawn',
  'charge.dispute.funds_reinstated': 'reinstated',
}
const REFUNDS = new Set(['refund.created', 'refund.updated', 'refund.failed'])
/** The provider's events to subscribe to. */
export const SUBSCRIBED_PAYMENT_EVENTS = [
  ...Object.keys(SESSIONS),
  ...Object.keys(INTENTS),
  ...REFUNDS,
  ...Object.keys(DISPUTES),
]

type NoticeHeader = Pick<PaymentNotice, 'id' | 'type' | 'at'>
type NoticeSubject = Partial<Pick<PaymentNotice, 'checkout' | 'intent' | 'reference'>>
const buildNotice = (
  told: NoticeHeader,
  about: NoticeSubject,
  fact: Omit<PaymentFact, 'at'> | null,
): PaymentNotice => ({
  id: told.id,
  type: told.type,
  at: told.at,
  checkout: about.checkout ?? '',
  intent: about.intent ?? '',
  reference: about.reference ?? '',
  fact: fact && { ...fact, at: told.at },
})

function toSessionNotice(told: NoticeHeader, object: unknown, kind: PaymentFactKind): PaymentNotice {
  const { id, payment_intent, client_reference_id } = Session.parse(object)
  const about = { checkout: id, intent: payment_intent ?? '', reference: client_reference_id ?? '' }
  return buildNotice(told, about, { kind, object: '', amount: 0, reason: '' })
}

export function toIntentNotice(told: NoticeHeader, object: unknown, kind: PaymentFactKind): PaymentNotice {
  const intent = Intent.parse(object)
  const about = { intent: intent.id, reference: intent.metadata?.payment ?? '' }
  // A payment in another currency than euros is not one of ours.
  if (intent.currency !== 'eur') return buildNotice(told, about, null)
  const { last_payment_error: error } = intent
  const reason = kind === 'failed' ? (error?.decline_code ?? error?.code ?? '') : ''
  const amount = kind === 'paid' ? intent.amount_received : intent.amount
  return buildNotice(told, about, { kind, object: '', amount, reason })
}

/** A pending refund has not moved money yet. */
const getRefundKind = (status: string | null | undefined): PaymentFactKind | undefined =>
  status === 'succeeded' ? 'refunded' : status === 'failed' || status === 'canceled' ? 'refundFailed' : undefined

export function toRefundOrDisputeNotice(
  told: NoticeHeader,
  object: unknown,
  given: PaymentFactKind | 'refund',
): PaymentNotice {
  const { id, amount, currency, payment_intent, status, reason } = RefundOrDispute.parse(object)
  const kind = given === 'refund' ? getRefundKind(status) : given
  const told_ = kind && currency === 'eur' ? { kind, object: id, amount, reason: reason ?? '' } : null
  return buildNotice(told, { intent: payment_intent ?? '' }, told_)
}

/** Converts a message of the provider; one of an unknown type carries no fact. */
export function toPaymentNotice(event: unknown): PaymentNotice {
  const { id, type, created, data } = Event.parse(event)
  const told = { id, type, at: new Date(created * 1000) }
  const ofIntent = INTENTS[type]
  const ofSession = SESSIONS[type]
  const ofDispute = DISPUTES[type]
  if (ofIntent) return toIntentNotice(told, data.object, ofIntent)
  if (ofSession) return toSessionNotice(told, data.object, ofSession)
  if (ofDispute) return toRefundOrDisputeNotice(told, data.object, ofDispute)
  if (REFUNDS.has(type)) return toRefundOrDisputeNotice(told, data.object, 'refund')
  return buildNotice(told, {}, null)
}

/** A message replayed later than five minutes is refused. */
const TOLERANCE_S = 300
const crypto = Stripe.createNodeCryptoProvider()

/** The content of a message whose signature, computed over its exact bytes, is valid. */
export function verifyPaymentNotice(body: Uint8Array, signature: string, secret: string): PaymentNotice {
  const text = Buffer.from(body).toString('utf8')
  let event: unknown
  try {
    event = Stripe.webhooks.constructEvent(text, signature, secret, TOLERANCE_S, crypto)
  } catch (error) {
    throw new ForgedNotice('the signature does not prove this message', { cause: error })
  }
  return toPaymentNotice(event)
}
