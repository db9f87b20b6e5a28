import { z } from 'zod'
import type { Fact, FactKind, Notice } from './types.ts'

const Named = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish()
const Metadata = z.record(z.string(), z.string()).nullish()
const Session = z.object({
  id: z.string(),
  payment_intent: Named,
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
  latest_charge: Named,
  last_payment_error: z.object({ code: z.string().nullish(), decline_code: z.string().nullish() }).nullish(),
})
/** A refund or a dispute. */
const Moved = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  payment_intent: Named,
  status: z.string().nullish(),
  reason: z.string().nullish(),
})
const Event = z.object({
  id: z.string().min(1).max(200),
  type: z.string().max(100),
  created: z.int(),
  data: z.object({ object: z.looseObject({ object: z.string() }) }),
})

const INTENTS: Record<string, FactKind> = {
  'payment_intent.processing': 'processing',
  'payment_intent.succeeded': 'paid',
  'payment_intent.payment_failed': 'failed',
  'payment_intent.canceled': 'expired',
}
const SESSIONS: Record<string, FactKind> = {
  'checkout.session.completed': 'completed',
  'checkout.session.expired': 'expired',
}
const DISPUTES: Record<string, FactKind> = {
  'charge.dispute.funds_withdrawn': 'withdrawn',
  'charge.dispute.funds_reinstated': 'reinstated',
}
const REFUNDS = new Set(['refund.created', 'refund.updated', 'refund.failed'])
/** What the provider is asked to tell. */
export const TOLD = [...Object.keys(SESSIONS), ...Object.keys(INTENTS), ...REFUNDS, ...Object.keys(DISPUTES)]

type Told = Pick<Notice, 'id' | 'type' | 'at'>
type About = Partial<Pick<Notice, 'checkout' | 'intent' | 'reference'>>
const notice = (told: Told, about: About, fact: Omit<Fact, 'at'> | null): Notice => ({
  id: told.id,
  type: told.type,
  at: told.at,
  checkout: about.checkout ?? '',
  intent: about.intent ?? '',
  reference: about.reference ?? '',
  fact: fact && { ...fact, at: told.at },
})

function sessionNotice(told: Told, object: unknown, kind: FactKind): Notice {
  const { id, payment_intent, client_reference_id } = Session.parse(object)
  const about = { checkout: id, intent: payment_intent ?? '', reference: client_reference_id ?? '' }
  return notice(told, about, { kind, object: '', amount: 0, reason: '' })
}

export function intentNotice(told: Told, object: unknown, kind: FactKind): Notice {
  const intent = Intent.parse(object)
  const about = { intent: intent.id, reference: intent.metadata?.payment ?? '' }
  // Another money than the one that was asked for is nobody's payment here.
  if (intent.currency !== 'eur') return notice(told, about, null)
  const { last_payment_error: error } = intent
  const reason = kind === 'failed' ? (error?.decline_code ?? error?.code ?? '') : ''
  const amount = kind === 'paid' ? intent.amount_received : intent.amount
  return notice(told, about, { kind, object: '', amount, reason })
}

/** A refund that is still under way has moved nothing yet. */
const refundKind = (status: string | null | undefined): FactKind | undefined =>
  status === 'succeeded' ? 'refunded' : status === 'failed' || status === 'canceled' ? 'refundFailed' : undefined

export function movedNotice(told: Told, object: unknown, given: FactKind | 'refund'): Notice {
  const { id, amount, currency, payment_intent, status, reason } = Moved.parse(object)
  const kind = given === 'refund' ? refundKind(status) : given
  const told_ = kind && currency === 'eur' ? { kind, object: id, amount, reason: reason ?? '' } : null
  return notice(told, { intent: payment_intent ?? '' }, told_)
}

/** A message of the provider in the words of this product; what it does not know tells no fact. */
export function noticeOf(event: unknown): Notice {
  const { id, type, created, data } = Event.parse(event)
  const told = { id, type, at: new Date(created * 1000) }
  const ofIntent = INTENTS[type]
  const ofSession = SESSIONS[type]
  const ofDispute = DISPUTES[type]
  if (ofIntent) return intentNotice(told, data.object, ofIntent)
  if (ofSession) return sessionNotice(told, data.object, ofSession)
  if (ofDispute) return movedNotice(told, data.object, ofDispute)
  if (REFUNDS.has(type)) return movedNotice(told, data.object, 'refund')
  return notice(told, {}, null)
}
