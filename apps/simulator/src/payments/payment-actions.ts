import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PersistentState } from '../simulator-store.ts'
import type {
  CheckoutSession,
  Dispute,
  HookDelivery,
  Intent,
  PaymentSimulatorState,
  Refund,
  SimulatedHook,
  SimulatedPaymentEvent,
} from './payment-state.ts'

/** Card numbers that are refused, with the reason; any other valid one is accepted. */
const REFUSED_CARDS: Record<string, string> = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
}
/** Accepted, then disputed at once. */
const DISPUTED_CARD = '4000000000000259'

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

/** Seconds before each retry. */
const RETRY_DELAYS_SECONDS = [1, 2, 5, 15, 60]
const TIMEOUT_MS = 10_000
const MAX_EVENTS = 20_000

export const generateObjectId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`
export const getSimulatorSeconds = ({ state }: PersistentState<PaymentSimulatorState>) =>
  Math.floor((Date.now() + state.ahead) / 1000)

/** Signed with the machine's clock, since receivers check the time with theirs, not the simulator's. */
function signBody(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1000)
  const proof = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return `t=${at},v1=${proof}`
}

/** A seeded generator: the same seed gives the same order. */
function createGenerator(seed: number) {
  let at = seed >>> 0
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0
    return at / 2 ** 32
  }
}
export function shuffle<T>(list: readonly T[], seed: number): T[] {
  const next = createGenerator(seed)
  return list
    .map((one) => ({ one, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

async function postToHook(hook: SimulatedHook, body: string, forged: boolean): Promise<number> {
  const secret = forged ? generateObjectId('whsec') : hook.secret
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signBody(body, secret) }
  const answer = await fetch(hook.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
  await answer.body?.cancel()
  return answer.status
}

type WebhookSender = ReturnType<typeof createWebhookSender>

/**
 * Sends events to registered webhooks: one after the other, retried without an answer, with the faults that were set.
 */
export function createWebhookSender(store: PersistentState<PaymentSimulatorState>) {
  const log: { event: string; type: string; status: number; forged: boolean }[] = []
  let chain: Promise<void> = Promise.resolve()
  const stop = new AbortController()

  async function deliver(delivery: HookDelivery): Promise<void> {
    const hook = store.state.hooks.find(({ id }) => id === delivery.hook)
    const event = store.state.events.find(({ id }) => id === delivery.event)
    if (!hook || !event || stop.signal.aborted) return
    const status = await postToHook(hook, JSON.stringify(toEventObject(event)), delivery.forged).catch(() => 0)
    log.push({ event: event.id, type: event.type, status, forged: delivery.forged })
    const pause = RETRY_DELAYS_SECONDS[delivery.tries]
    if (delivery.forged || (status >= 200 && status < 300) || pause === undefined) return
    void sleep(pause * 1000, undefined, { ref: false, signal: stop.signal })
      .then(() => send([{ ...delivery, tries: delivery.tries + 1 }]))
      .catch(() => {})
  }
  function send(list: HookDelivery[]) {
    for (const delivery of list) chain = chain.then(() => deliver(delivery))
  }
  return {
    log,
    tell(account: string, type: string, object: Record<string, unknown>) {
      const { state } = store
      const event = { id: generateObjectId('evt'), account, type, created: getSimulatorSeconds(store), object }
      state.events = [...state.events, event].slice(-MAX_EVENTS)
      const wanted = state.hooks.filter((hook) => hook.account === account && hook.types.includes(type))
      const { hold, twice, forged } = state.troubles
      const list = wanted.flatMap(({ id }) => {
        const one: HookDelivery = { hook: id, event: event.id, forged: false, tries: 0 }
        return [one, ...(twice ? [one] : []), ...(forged ? [{ ...one, forged: true }] : [])]
      })
      if (hold) state.waiting = [...state.waiting, ...list]
      else send(list)
    },
    /** Sends held messages in the order given by this seed, and resolves once all were sent. */
    async release(seed: number | null) {
      const { waiting } = store.state
      store.state.waiting = []
      send(seed === null ? waiting : shuffle(waiting, seed))
      await chain
      return waiting.length
    },
    idle: () => chain,
    close: () => stop.abort(),
  }
}

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
