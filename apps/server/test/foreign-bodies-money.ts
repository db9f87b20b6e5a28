import { today } from '../src/today.ts'
import { BUYER, SELLER } from './access-bodies.ts'
import { type Foreign, ref } from './foreign-rows.ts'

const TERMS = {
  patrimonial: false,
  monthsPerInvoice: 1,
  organiserId: ref('seller'),
  supplierPrice: null,
  surplusPrice: null,
  version: 0,
}
const RULES = [
  {
    id: 'a',
    price: 1543,
    buyer: ref('participant'),
    producer: ref('roof'),
    index: { indexId: ref('index'), base: '118.02' },
  },
  { id: 'b', price: 1541, group: ref('group') },
]
const TARIFF = { label: '', startsOn: '2025-01-01', rules: RULES }
const START = { startsOn: '2025-01-01' }
const FEE = { sellerId: ref('seller'), groupId: ref('group'), label: 'Prise', amount: 437, every: 'month', ...START }
const DISCOUNT = {
  label: 'Prise',
  percentBp: 375,
  participantId: ref('participant'),
  sellerId: ref('seller'),
  ...START,
}
const PAIR = { sellerId: ref('seller'), buyerId: ref('buyer') }
const BOOKED = { method: 'transfer', bookedOn: '2026-05-04', accountId: ref('account') }
const IBAN = 'FR7630006000011234567890189'
const DEBTOR = { creditorId: ref('seller'), participantId: ref('participant'), holder: 'Prise', iban: IBAN, bic: '' }
const operation = { id: ref('operation') }

/** Of the wing of money; see `FOREIGN`. */
export const MONEY_FOREIGN: Record<string, Foreign | Foreign[]> = {
  'POST /api/billing/simulate': {
    body: { operationId: ref('operation'), month: '2025-03', tariffId: ref('tariff') },
    own: 422,
  },
  'POST /api/sellers': { body: { ...SELLER, participantId: ref('producer') } },
  'PUT /api/buyers/:id': { params: { id: ref('participant') }, body: { ...BUYER, groupId: ref('group'), version: 0 } },
  'PUT /api/acc-operations/:id/billing-terms': { params: operation, body: TERMS },
  'POST /api/takeovers/series': { body: { sellerId: ref('seller'), year: 2031, last: 12 } },
  'POST /api/acc-operations/:id/tariffs/trial': {
    params: operation,
    body: { ...START, day: '2025-01-01', rules: RULES, tariffId: ref('tariff') },
  },
  'POST /api/acc-operations/:id/tariffs': { params: operation, body: TARIFF },
  'PATCH /api/tariffs/:id': { params: { id: ref('tariff') }, body: { ...TARIFF, version: 1 } },
  'POST /api/acc-operations/:id/tariff-fees': { params: operation, body: FEE },
  'PATCH /api/tariff-fees/:id': { params: { id: ref('fee') }, body: { ...FEE, version: 1 } },
  'POST /api/acc-operations/:id/tariff-discounts': { params: operation, body: DISCOUNT },
  'PUT /api/acc-operations/:id/tariff-discounts/order': { params: operation, body: { ids: [ref('discount')] } },
  'PATCH /api/tariff-discounts/:id': { params: { id: ref('discount') }, body: { ...DISCOUNT, version: 1 } },
  // The month was issued without having been closed: there is nothing that could be taken back.
  'POST /api/corrections/cancellations': {
    body: { invoiceId: ref('invoice'), reason: 'Mauvais acheteur.' },
    own: null,
  },
  'POST /api/payments': { body: { ...PAIR, ...BOOKED, amount: 413 } },
  'POST /api/payments/write-offs': { body: { invoiceId: ref('invoice'), amount: 13, reason: 'Geste commercial' } },
  'POST /api/payments/refunds': { body: { creditId: ref('creditNote'), ...BOOKED, amount: 13 } },
  'POST /api/reminders': { body: { accounts: [{ ...PAIR, level: 1 }] } },
  'POST /api/reminders/claims': { body: PAIR, own: 409 },
  'POST /api/reminder-holds': {
    body: { ...PAIR, kind: 'dispute', reason: 'Compteur contesté', invoiceId: ref('invoice') },
  },
  // Nothing is due to this seller, who is then not found either.
  'POST /api/payouts': { body: { accountId: ref('account'), sellerIds: [ref('seller')] }, own: null },
  'POST /api/payouts/files': { body: { accountId: ref('account'), on: '2031-05-05' }, own: 409 },
  'POST /api/mandates/sign': { body: { ...DEBTOR, name: 'Prise', hash: 'a'.repeat(64) }, own: 409 },
  'POST /api/mandates': { body: { ...DEBTOR, kind: 'recurrent', signedOn: '2025-01-01' } },
  'POST /api/mandates/take-over': { body: { creditorId: ref('seller') } },
  'POST /api/debit-runs': { body: { accountId: ref('account'), except: [ref('invoice')] }, own: 409 },
  'POST /api/bank-accounts': {
    body: { ownerId: ref('seller'), name: 'Prise', iban: IBAN, bic: '', ics: '', painVersion: '08' },
  },
  'POST /api/bank-lines/:id/settle': {
    params: { id: ref('line') },
    body: { parts: [{ invoiceId: ref('invoice'), amount: 113 }], version: 1 },
  },
  'POST /api/online/providers': {
    body: { ownerId: ref('seller'), environment: 'local', everyone: true, card: true, debit: false },
    own: 409,
  },
  'POST /api/books/:sellerId/doubts': {
    params: { sellerId: ref('seller') },
    body: {
      invoiceId: ref('invoice'),
      lostBp: 5000,
      bookedOn: today(),
      reason: 'Sans nouvelles depuis trois mois',
    },
  },
  'POST /api/books/:sellerId/notes': {
    params: { sellerId: ref('seller') },
    body: { source: `invoice:${ref('invoice')}`, kind: 'question', text: 'Pourquoi ce compte\u00a0?' },
  },
  'POST /api/declarations': { body: { kind: 'vat', of: ref('seller'), year: 2026 } },
}
