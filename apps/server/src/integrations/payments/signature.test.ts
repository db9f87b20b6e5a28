import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { verifyPaymentNotice } from './payment-notices.ts'
import { ForgedNotice } from './payment-provider.ts'

const SECRET = 'whsec_1f3a'
const intent = (more: object = {}) => ({
  object: 'payment_intent',
  id: 'pi_7',
  status: 'succeeded',
  currency: 'eur',
  amount: 1237,
  amount_received: 1237,
  metadata: { payment: 'p1' },
  ...more,
})
const body = (type: string, object: object) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, created: 1_779_000_123, data: { object } })
const signed = (payload: string, more: { secret?: string; timestamp?: number } = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, ...more })
const bytes = (text: string) => Buffer.from(text, 'utf8')

test('a message with a valid signature gives the fact it carries', () => {
  const text = body('payment_intent.succeeded', intent())
  expect(verifyPaymentNotice(bytes(text), signed(text), SECRET)).toEqual({
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    at: new Date(1_779_000_123_000),
    checkout: '',
    intent: 'pi_7',
    reference: 'p1',
    fact: { kind: 'paid', object: '', amount: 1237, reason: '', at: new Date(1_779_000_123_000) },
  })
})

test('refuses another secret, a changed byte, an old message and a missing signature', () => {
  const text = body('payment_intent.succeeded', intent())
  const old = Math.floor(Date.now() / 1000) - 301
  for (const [sent, proof] of [
    [text, signed(text, { secret: 'whsec_2' })],
    [text.replace('1237', '9237'), signed(text)],
    [text, signed(text, { timestamp: old })],
    [text, ''],
    [text, 't=,v1='],
  ] as const)
    expect(() => verifyPaymentNotice(bytes(sent), proof, SECRET)).toThrow(ForgedNotice)
})

test.each([
  ['payment_intent.succeeded', intent({ currency: 'usd' }), null],
  ['payment_intent.payment_failed', intent({ last_payment_error: { decline_code: 'insufficient_funds' } }), 'failed'],
  [
    'refund.updated',
    { object: 'refund', id: 're_1', amount: 400, currency: 'eur', status: 'pending', payment_intent: 'pi_7' },
    null,
  ],
  [
    'refund.updated',
    { object: 'refund', id: 're_1', amount: 400, currency: 'eur', status: 'succeeded', payment_intent: 'pi_7' },
    'refunded',
  ],
  [
    'refund.failed',
    { object: 'refund', id: 're_1', amount: 400, currency: 'eur', status: 'failed', payment_intent: 'pi_7' },
    'refundFailed',
  ],
  [
    'charge.dispute.funds_withdrawn',
    { object: 'dispute', id: 'dp_1', amount: 400, currency: 'eur', payment_intent: 'pi_7' },
    'withdrawn',
  ],
  [
    'charge.dispute.created',
    { object: 'dispute', id: 'dp_1', amount: 400, currency: 'eur', payment_intent: 'pi_7' },
    null,
  ],
  ['customer.created', { object: 'customer', id: 'cus_1' }, null],
])('%s gives the fact %s', (type, object, kind) => {
  const text = body(type, object)
  expect(verifyPaymentNotice(bytes(text), signed(text), SECRET).fact?.kind ?? null).toBe(kind)
})
