import type { Kept } from '../store.ts'
import { type Hooks, newId, secondsOf } from './hooks.ts'
import { disputeObject, intentObject, refundObject, sessionObject } from './objects.ts'
import type { Dispute, Held, Intent, Session } from './schemas.ts'

/** Numbers that are refused, and why; any other that is well formed is accepted. */
export const CARDS: Record<string, string> = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
}
/** Accepted, and disputed at once. */
const DISPUTED = '4000000000000259'
/** Its bank asks the payer to confirm. */
export const CONFIRMED = '4000002500003155'
const BAD_IBAN = 'FR8420041010050500013M02607'
const DEBIT_DAYS = 3
const DAY_S = 86_400

export type Parts = { store: Kept<Held>; hooks: Hooks; url: () => string }

const intentTells = ({ hooks }: Parts, intent: Intent, type: string) =>
  hooks.tell(intent.account, `payment_intent.${type}`, intentObject(intent))

function intentOf({ store }: Parts, session: Session): Intent {
  const known = store.state.intents.find(({ id }) => id === session.intent)
  if (known) return known
  const { account, amount, method, metadata } = session
  const made: Intent = {
    id: newId('pi'),
    account,
    amount,
    method,
    metadata,
    created: secondsOf(store),
    status: 'requires_payment_method',
    error: null,
    settles: null,
  }
  store.state.intents.push(made)
  session.intent = made.id
  return made
}

function complete(parts: Parts, session: Session) {
  session.status = 'complete'
  parts.hooks.tell(session.account, 'checkout.session.completed', sessionObject(session, parts.url()))
}

function succeed(parts: Parts, intent: Intent) {
  intent.status = 'succeeded'
  intent.error = null
  intent.settles = null
  intentTells(parts, intent, 'succeeded')
}

function refuse(parts: Parts, intent: Intent, reason: string) {
  intent.status = 'requires_payment_method'
  intent.error = reason
  intent.settles = null
  intentTells(parts, intent, 'payment_failed')
}

/** The reason of a refusal, or null where the card was taken. */
export function payByCard(parts: Parts, session: Session, card: string): string | null {
  const intent = intentOf(parts, session)
  const reason = CARDS[card]
  if (reason) {
    refuse(parts, intent, reason)
    return reason
  }
  succeed(parts, intent)
  complete(parts, session)
  if (card === DISPUTED) dispute(parts, intent)
  return null
}

/** Taken now, decided in some days. */
export function payByDebit(parts: Parts, session: Session, iban: string) {
  const intent = intentOf(parts, session)
  intent.status = 'processing'
  intent.settles = { at: secondsOf(parts.store) + DEBIT_DAYS * DAY_S, paid: iban !== BAD_IBAN }
  intentTells(parts, intent, 'processing')
  complete(parts, session)
}

export function dispute(parts: Parts, intent: Intent): Dispute {
  const made: Dispute = {
    id: newId('dp'),
    intent: intent.id,
    amount: intent.amount,
    created: secondsOf(parts.store),
    status: 'needs_response',
    reason: 'fraudulent',
  }
  parts.store.state.disputes.push(made)
  for (const type of ['created', 'funds_withdrawn'])
    parts.hooks.tell(intent.account, `charge.dispute.${type}`, disputeObject(made))
  return made
}

export function closeDispute(parts: Parts, found: Dispute, won: boolean) {
  const account = parts.store.state.intents.find(({ id }) => id === found.intent)?.account ?? ''
  found.status = won ? 'won' : 'lost'
  if (won) parts.hooks.tell(account, 'charge.dispute.funds_reinstated', disputeObject(found))
  parts.hooks.tell(account, 'charge.dispute.closed', disputeObject(found))
}

export function refund(parts: Parts, intent: Intent, amount: number) {
  const made = { id: newId('re'), intent: intent.id, amount, created: secondsOf(parts.store) }
  const row = { ...made, status: 'succeeded' as const }
  parts.store.state.refunds.push(row)
  parts.hooks.tell(intent.account, 'refund.created', refundObject(row))
  return row
}

/** The payer's bank did not take it: the money is back with the seller. */
export function failRefund(parts: Parts, id: string) {
  const found = parts.store.state.refunds.find((one) => one.id === id)
  if (!found) return
  found.status = 'failed'
  const account = parts.store.state.intents.find((one) => one.id === found.intent)?.account ?? ''
  parts.hooks.tell(account, 'refund.failed', refundObject(found))
}

export function expire(parts: Parts, session: Session) {
  session.status = 'expired'
  parts.hooks.tell(session.account, 'checkout.session.expired', sessionObject(session, parts.url()))
}

/** What only time does. */
export function tick(parts: Parts) {
  const { state } = parts.store
  const now = secondsOf(parts.store)
  for (const session of state.sessions) if (session.status === 'open' && session.expires <= now) expire(parts, session)
  for (const intent of state.intents) {
    if (!intent.settles || intent.settles.at > now) continue
    if (intent.settles.paid) succeed(parts, intent)
    else refuse(parts, intent, 'insufficient_funds')
  }
}
