import { getToday } from '../src/today.ts'
import { BUYER_BODY, SELLER_BODY } from './access-bodies.ts'
import { type ForeignBody, refTo } from './foreign-rows.ts'

const TERMS = {
  patrimonial: false,
  monthsPerInvoice: 1,
  organiserId: refTo('seller'),
  supplierPrice: null,
  surplusPrice: null,
  version: 0,
}
const RULES = [
  {
    id: 'a',
    price: 1543,
    buyer: refTo('participant'),
    producer: refTo('roof'),
    index: { indexId: refTo('index'), base: '118.02' },
  },
  { id: 'b', price: 1541, group: refTo('group') },
]
const TARIFF = { label: '', startsOn: '2025-01-01', rules: RULES }
const START_DATE = { startsOn: '2025-01-01' }
const FEE = {
  sellerId: refTo('seller'),
  groupId: refTo('group'),
  label: 'Prise',
  amount: 437,
  every: 'month',
  ...START_DATE,
}
const DISCOUNT = {
  label: 'Prise',
  percentBp: 375,
  participantId: refTo('participant'),
  sellerId: refTo('seller'),
  ...START_DATE,
}
const SELLER_AND_BUYER = { sellerId: refTo('seller'), buyerId: refTo('buyer') }
const BOOKING_FIELDS = { method: 'transfer', bookedOn: '2026-05-04', accountId: refTo('account') }
const IBAN = 'FR7630006000011234567890189'
const DEBTOR_FIELDS = {
  creditorId: refTo('seller'),
  participantId: refTo('participant'),
  holder: 'Prise',
  iban: IBAN,
  bic: '',
}
const operation = { id: refTo('operation') }

/** Billing and payment calls; see `FOREIGN_BODIES`. */
export const FOREIGN_MONEY_BODIES: Record<string, ForeignBody | ForeignBody[]> = {
  'POST /api/billing/simulate': {
    body: { operationId: refTo('operation'), month: '2025-03', tariffId: refTo('tariff') },
    own: 422,
  },
  'POST /api/sellers': { body: { ...SELLER_BODY, participantId: refTo('producer') } },
  'PUT /api/buyers/:id': {
    params: { id: refTo('participant') },
    body: { ...BUYER_BODY, groupId: refTo('group'), version: 0 },
  },
  'PUT /api/acc-operations/:id/billing-terms': { params: operation, body: TERMS },
  'POST /api/takeovers/series': { body: { sellerId: refTo('seller'), year: 2031, last: 12 } },
  'POST /api/acc-operations/:id/tariffs/trial': {
    params: operation,
    body: { ...START_DATE, day: '2025-01-01', rules: RULES, tariffId: refTo('tariff') },
  },
  'POST /api/acc-operations/:id/tariffs': { params: operation, body: TARIFF },
  'PATCH /api/tariffs/:id': { params: { id: refTo('tariff') }, body: { ...TARIFF, version: 1 } },
  'POST /api/acc-operations/:id/tariff-fees': { params: operation, body: FEE },
  'PATCH /api/tariff-fees/:id': { params: { id: refTo('fee') }, body: { ...FEE, version: 1 } },
  'POST /api/acc-operations/:id/tariff-discounts': { params: operation, body: DISCOUNT },
  'PUT /api/acc-operations/:id/tariff-discounts/order': { params: operation, body: { ids: [refTo('discount')] } },
  'PATCH /api/tariff-discounts/:id': { params: { id: refTo('discount') }, body: { ...DISCOUNT, version: 1 } },
  // The month was issued without being closed, so that nothing can be cancelled.
  'POST /api/corrections/cancellations': {
    body: { invoiceId: refTo('invoice'), reason: 'Mauvais acheteur.' },
    own: null,
  },
  'POST /api/payments': { body: { ...SELLER_AND_BUYER, ...BOOKING_FIELDS, amount: 413 } },
  'POST /api/payments/write-offs': { body: { invoiceId: refTo('invoice'), amount: 13, reason: 'Geste commercial' } },
  'POST /api/payments/refunds': { body: { creditId: refTo('creditNote'), ...BOOKING_FIELDS, amount: 13 } },
  'POST /api/reminders': { body: { accounts: [{ ...SELLER_AND_BUYER, level: 1 }] } },
  'POST /api/reminders/claims': { body: SELLER_AND_BUYER, own: 409 },
  'POST /api/reminder-holds': {
    body: { ...SELLER_AND_BUYER, kind: 'dispute', reason: 'Compteur contesté', invoiceId: refTo('invoice') },
  },
  // Nothing is due to this seller, so that it is not found either.
  'POST /api/payouts': { body: { accountId: refTo('account'), sellerIds: [refTo('seller')] }, own: null },
  'POST /api/payouts/files': { body: { accountId: refTo('account'), on: '2031-05-05' }, own: 409 },
  'POST /api/mandates/sign': { body: { ...DEBTOR_FIELDS, name: 'Prise', hash: 'a'.repeat(64) }, own: 409 },
  'POST /api/mandates': { body: { ...DEBTOR_FIELDS, kind: 'recurrent', signedOn: '2025-01-01' } },
  'POST /api/mandates/take-over': { body: { creditorId: refTo('seller') } },
  'POST /api/debit-runs': { body: { accountId: refTo('account'), except: [refTo('invoice')] }, own: 409 },
  'POST /api/bank-accounts': {
    body: { ownerId: refTo('seller'), name: 'Prise', iban: IBAN, bic: '', ics: '', painVersion: '08' },
  },
  'POST /api/bank-lines/:id/settle': {
    params: { id: refTo('line') },
    body: { parts: [{ invoiceId: refTo('invoice'), amount: 113 }], version: 1 },
  },
  'POST /api/online/providers': {
    body: { ownerId: refTo('seller'), environment: 'local', everyone: true, card: true, debit: false },
    own: 409,
  },
  'POST /api/books/:sellerId/doubts': {
    params: { sellerId: refTo('seller') },
    body: {
      invoiceId: refTo('invoice'),
      lostBp: 5000,
      bookedOn: getToday(),
      reason: 'Sans nouvelles depuis trois mois',
    },
  },
  'POST /api/books/:sellerId/notes': {
    params: { sellerId: refTo('seller') },
    body: { source: `invoice:${refTo('invoice')}`, kind: 'question', text: 'Pourquoi ce compte\u00a0?' },
  },
  'POST /api/declarations': { body: { kind: 'vat', of: refTo('seller'), year: 2026 } },
}
