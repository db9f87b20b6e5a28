import { shuffle } from '@voisol/simulator/payments/payment-actions'
import { expect, test } from 'vitest'
import type { PaymentFact, PaymentFactKind } from '../../../integrations/payments/payment-provider.ts'
import { computePaymentStatus } from './process-notice.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 8, 14, 9, minute))
const fact = (kind: PaymentFactKind, minute: number, amount = 0, object = '', reason = ''): PaymentFact => ({
  kind,
  amount,
  object,
  reason,
  at: at(minute),
})

test.each<[string, PaymentFact[], string, number]>([
  ['nothing told', [], 'open', 0],
  ['refused, the page still open', [fact('failed', 1, 1237, '', 'expired_card')], 'open', 0],
  ['refused, then given up', [fact('failed', 1), fact('expired', 9)], 'expired', 0],
  ['refused, then another card', [fact('failed', 1), fact('paid', 3, 1237), fact('completed', 3)], 'paid', 1237],
  ['a debit under way', [fact('processing', 2), fact('completed', 2)], 'processing', 0],
  ['a debit refused', [fact('processing', 2), fact('completed', 2), fact('failed', 7)], 'failed', 0],
  ['a debit refused at the very second', [fact('processing', 2), fact('failed', 2)], 'failed', 0],
  ['a card refused before a debit was taken', [fact('failed', 1), fact('processing', 2)], 'processing', 0],
  ['paid back in part', [fact('paid', 1, 1237), fact('refunded', 2, 437, 're_1')], 'partly', 800],
  [
    'paid back in two parts',
    [fact('paid', 1, 1237), fact('refunded', 2, 437, 're_1'), fact('refunded', 3, 800, 're_2')],
    'refunded',
    0,
  ],
  [
    'paid back, the bank refused it',
    [fact('paid', 1, 1237), fact('refunded', 2, 437, 're_1'), fact('refundFailed', 5, 437, 're_1')],
    'paid',
    1237,
  ],
  [
    'a refund that failed before it was ever done',
    [fact('paid', 1, 1237), fact('refundFailed', 5, 437, 're_1')],
    'paid',
    1237,
  ],
  ['disputed', [fact('paid', 1, 1237), fact('withdrawn', 2, 1237, 'dp_1')], 'disputed', 0],
  [
    'disputed and won',
    [fact('paid', 1, 1237), fact('withdrawn', 2, 1237, 'dp_1'), fact('reinstated', 8, 1237, 'dp_1')],
    'paid',
    1237,
  ],
  [
    'disputed after a part was paid back: never below nothing',
    [fact('paid', 1, 1237), fact('refunded', 2, 437, 're_1'), fact('withdrawn', 3, 1237, 'dp_1')],
    'disputed',
    0,
  ],
  ['a refund known before its payment', [fact('refunded', 2, 437, 're_1')], 'open', 0],
])('%s', (_, facts, state, net) => {
  expect(computePaymentStatus(facts)).toMatchObject({ state, net })
})

const STORIES: PaymentFact[][] = [
  [
    fact('failed', 0),
    fact('completed', 1),
    fact('paid', 1, 1237),
    fact('refunded', 2, 437, 're_1'),
    fact('refundFailed', 9, 437, 're_1'),
    fact('withdrawn', 4, 1237, 'dp_1'),
    fact('reinstated', 8, 1237, 'dp_1'),
  ],
  [
    fact('processing', 0, 913),
    fact('completed', 0),
    fact('paid', 5, 913),
    fact('refunded', 6, 211, 're_1'),
    fact('refunded', 7, 77, 're_2'),
  ],
  [
    fact('processing', 0, 913),
    fact('completed', 0),
    fact('failed', 5, 913, '', 'insufficient_funds'),
    fact('expired', 6),
  ],
]

/** Money on the account after each message, as `syncReceipts` moves it: the rest replaces the receipt in force. */
const computeHeldAfter = (order: readonly PaymentFact[]) => {
  let held = 0
  for (let n = 1; n <= order.length; n++) {
    const { net, at: moved } = computePaymentStatus(order.slice(0, n))
    if (moved) held = net
  }
  return held
}

test('ends in the same state and amount for a thousand orders with every fact twice', () => {
  for (const story of STORIES) {
    const end = computePaymentStatus(story)
    for (let seed = 1; seed <= 1000; seed++) {
      const order = shuffle([...story, ...story], seed)
      const { state, net, at: moved, reason } = computePaymentStatus(order)
      if (state !== end.state || net !== end.net || +(moved ?? 0) !== +(end.at ?? 0) || reason !== end.reason)
        throw new Error(`order ${seed} ends as ${state}, ${net}`)
      if (computeHeldAfter(order) !== end.net)
        throw new Error(`order ${seed} leaves ${computeHeldAfter(order)} on the account`)
    }
  }
})
