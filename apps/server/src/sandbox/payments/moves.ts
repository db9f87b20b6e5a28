import type { PersistentState } from '../store.ts'
import { generateObjectId, getSimulatorSeconds, type WebhookSender } from './hooks.ts'
import { toDisputeObject, toIntentObject, toRefundObject, toSessionObject } from './objects.ts'
import type { CheckoutSession, Dispute, Intent, PaymentSimulatorState } from './schemas.ts'

/** Card numbers that are refused, with the reason; any other valid one is accepted. */
export const REFUSED_CARDS: Record<string, string> = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
}
/** Accepted, then disputed at once. */
const DISPUTED_CARD = '4000000000000259'
/** Needs confirmation by the payer's bank. */
export const CONFIRMATION_CARD = '4000002500003155'
const BAD_IBAN = 'FR8420041010050500013M02607'
const DEBIT_DAYS = 3
const DAY_S = 86_400

export type PaymentSimulatorParts = {
  store: PersistentState<PaymentSimulatorState>
  hooks: WebhookSender
  url: () => string
}

const sendIntentEvent = ({ hooks }: PaymentSimulatorParts, intent: Intent, type: string) =>
  hooks.tell(intent.account, `payment_intent.${type}`, toIntentObject(intent))

function getOrCreateIntent({ store }: PaymentSimulatorParts, session: CheckoutSession): Intent {
  const known = store.state.intents.find(({ id }) => id === session.intent)
  if (known) return known
  const { account, amount, method, metadata } = session
  const made: Intent = {
    id: generateObjectId('pi'),
    account,
    amount,
    method,
    metadata,
    created: getSimulatorSeconds(store),
    status: 'requires_payment_method',
    error: null,
    settles: null,
  }
  store.state.intents.push(made)
  session.intent = made.id
  return made
}

function completeSession(parts: PaymentSimulatorParts, session: CheckoutSession) {
  session.status = 'complete'
  parts.hooks.tell(session.account, 'checkout.session.completed', toSessionObject(session, parts.url()))
}

function markIntentSucceeded(parts: PaymentSimulatorParts, intent: Intent) {
  intent.status = 'succeeded'
  intent.error = null
  intent.settles = null
  sendIntentEvent(parts, intent, 'succeeded')
}

function markIntentRefused(parts: PaymentSimulatorParts, intent: Intent, reason: string) {
  intent.status = 'requires_payment_method'
  intent.error = reason
  intent.settles = null
  sendIntentEvent(parts, intent, 'payment_failed')
}

/** The reason of a refusal, or null if the card was accepted. */
export function payByCard(parts: PaymentSimulatorParts, session: CheckoutSession, card: string): string | null {
  const intent = getOrCreateIntent(parts, session)
  const reason = REFUSED_CARDS[card]
  if (reason) {
    markIntentRefused(parts, intent, reason)
    return reason
  }
  markIntentSucceeded(parts, intent)
  completeSession(parts, session)
  if (card === DISPUTED_CARD) openDispute(parts, intent)
  return null
}

/** Accepted now, decided some days later. */
export function payByDebit(parts: PaymentSimulatorParts, session: CheckoutSession, iban: string) {
  const intent = getOrCreateIntent(parts, session)
  intent.status = 'processing'
  intent.settles = { at: getSimulatorSeconds(parts.store) + DEBIT_DAYS * DAY_S, paid: iban !== BAD_IBAN }
  sendIntentEvent(parts, intent, 'processing')
  completeSession(parts, session)
}

export function openDispute(parts: PaymentSimulatorParts, intent: Intent): Dispute {
  const made: Dispute = {
    id: generateObjectId('dp'),
    intent: intent.id,
    amount: intent.amount,
    created: getSimulatorSeconds(parts.store),
    status: 'needs_response',
    reason: 'fraudulent',
  }
  parts.store.state.disputes.push(made)
  for (const type of ['created', 'funds_withdrawn'])
    parts.hooks.tell(intent.account, `charge.dispute.${type}`, toDisputeObject(made))
  return made
}

export function closeDispute(parts: PaymentSimulatorParts, found: Dispute, won: boolean) {
  const account = parts.store.state.intents.find(({ id }) => id === found.intent)?.account ?? ''
  found.status = won ? 'won' : 'lost'
  if (won) parts.hooks.tell(account, 'charge.dispute.funds_reinstated', toDisputeObject(found))
  parts.hooks.tell(account, 'charge.dispute.closed', toDisputeObject(found))
}

export function recordRefund(parts: PaymentSimulatorParts, intent: Intent, amount: number) {
  const made = { id: generateObjectId('re'), intent: intent.id, amount, created: getSimulatorSeconds(parts.store) }
  const row = { ...made, status: 'succeeded' as const }
  parts.store.state.refunds.push(row)
  parts.hooks.tell(intent.account, 'refund.created', toRefundObject(row))
  return row
}

/** The payer's bank rejects the refund: the money returns to the seller. */
export function failRefund(parts: PaymentSimulatorParts, id: string) {
  const found = parts.store.state.refunds.find((one) => one.id === id)
  if (!found) return
  found.status = 'failed'
  const account = parts.store.state.intents.find((one) => one.id === found.intent)?.account ?? ''
  parts.hooks.tell(account, 'refund.failed', toRefundObject(found))
}

export function markSessionExpired(parts: PaymentSimulatorParts, session: CheckoutSession) {
  session.status = 'expired'
  parts.hooks.tell(session.account, 'checkout.session.expired', toSessionObject(session, parts.url()))
}

/** Effects of passing time. */
export function advanceTime(parts: PaymentSimulatorParts) {
  const { state } = parts.store
  const now = getSimulatorSeconds(parts.store)
  for (const session of state.sessions)
    if (session.status === 'open' && session.expires <= now) markSessionExpired(parts, session)
  for (const intent of state.intents) {
    if (!intent.settles || intent.settles.at > now) continue
    if (intent.settles.paid) markIntentSucceeded(parts, intent)
    else markIntentRefused(parts, intent, 'insufficient_funds')
  }
}
