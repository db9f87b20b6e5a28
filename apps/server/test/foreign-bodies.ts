import { computeDurationsSeal, getEffectiveMonths } from '../src/features/admin/retention/index.ts'
import { getToday } from '../src/today.ts'
import { PROJECT_BODY as ANY_PROJECT, BUYER_BODY, SELLER_BODY } from './access-bodies.ts'
import { type ForeignBody, refTo } from './foreign-references.ts'

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
const FOREIGN_MONEY_BODIES: Record<string, ForeignBody | ForeignBody[]> = {
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

const PLACE = { latitude: null, longitude: null }
const CANDIDATE = {
  name: 'Ana',
  email: '',
  kind: 'person',
  prm: '',
  profile: 'household',
  yearlyKwh: 3100,
  pointId: refTo('point'),
  ...PLACE,
}
const PROJECT = { ...ANY_PROJECT, candidates: [CANDIDATE] }
const NAMES = { firstName: 'Ana', lastName: 'Roy' }
const ROLE = { role: refTo('role'), operationIds: [refTo('operation')] }
const JOIN_BODY = {
  operationId: refTo('operation'),
  participantId: refTo('participant'),
  prm: '19125759625988',
  direction: 'consumption',
  startsOn: '2025-01-01',
}
const TRANSFER_BODY = { participantId: refTo('newcomer'), on: '2025-06-01', agreementSignedOn: null }
const BULK_EXIT = { ids: [refTo('stay')], change: 'exit', on: '2025-06-01', noticeOn: null }
const TAG = { kind: 'tags', add: ['Prise'], remove: [] }
const BULK_BY_IDS = { selection: { ids: [refTo('participant')] }, operationId: refTo('operation'), action: TAG }
const BULK_BY_FILTER = { selection: { filter: { operationId: refTo('operation') } }, action: TAG }
const KEY = { method: 'static', label: '', startsOn: '2025-01-01', decimals: 1 }
const STATIC_KEY_BODY = { ...KEY, shares: [{ pointId: refTo('point'), share: 1_000_000 }] }
const COMPLETE_KEY_BODY = {
  ...KEY,
  method: 'complete',
  shares: [{ pointId: refTo('point'), producerId: refTo('roof'), share: 1_000_000 }],
}
const PERIOD = { from: '2026-03-01', to: '2026-04-01' }
const EXPORT = {
  dataSet: 'readings',
  operationId: refTo('operation'),
  participantId: refTo('participant'),
  format: 'csv',
}
const RULE = { name: 'Prise', event: 'operation.created', conditions: [], fields: [], active: true }
const buildRuleBody = (kind: string, id: string) => ({ ...RULE, destination: { kind, id } })
const RULE_BODIES = [
  buildRuleBody('webhook', refTo('webhook')),
  buildRuleBody('mail', refTo('user')),
  buildRuleBody('connection', refTo('drop')),
]
const DEAD_WEBHOOK = { items: [{ kind: 'webhook', id: refTo('delivery') }] }
const DEAD_RULE = { items: [{ kind: 'rule', id: refTo('flowDelivery') }] }
const SCHEDULE_TIMES = { month: null, day: 3, recipientIds: [refTo('user')] }
const TICKET = { subject: 'Ma facture', category: 'invoice', body: 'Pourquoi ce montant\u00a0?' }
const TICKET_MESSAGE = { body: 'Voici.', fileIds: [refTo('attachment')] }
const MESSAGE_TEXT = { subject: 'Coupure', body: 'Demain.' }
const DATES = { startsOn: '2025-01-01', endsOn: null, noticeOn: null, agreementSignedOn: null }

/**
 * Every call whose body contains ids, with one's own ids in it. `own` is the expected status of that call, 200 by
 * default; null where it would call an external system.
 */
export const FOREIGN_BODIES: Record<string, ForeignBody | ForeignBody[]> = {
  ...FOREIGN_MONEY_BODIES,
  'PATCH /api/users/:id': { params: { id: refTo('user') }, body: { ...NAMES, phone: '', ...ROLE, version: 2 } },
  'POST /api/retention/confirm': {
    body: { id: refTo('retentionPreview'), seal: computeDurationsSeal(getEffectiveMonths([])) },
  },
  'POST /api/users': { body: { email: 'invitee@exemple.fr', ...NAMES, ...ROLE } },
  'POST /api/api-keys': {
    body: { name: 'Prise', permissions: ['operations.read'], operationIds: [refTo('operation')] },
  },
  'POST /api/participants/bulk': [
    { body: { ...BULK_BY_IDS, dryRun: true } },
    { body: { ...BULK_BY_FILTER, dryRun: true } },
  ],
  'POST /api/participations': { body: JOIN_BODY },
  'POST /api/messages/preview': [
    { body: { ...MESSAGE_TEXT, to: { kind: 'operation', operationId: refTo('operation') } } },
    { body: { ...MESSAGE_TEXT, to: { kind: 'person', participantId: refTo('participant') } } },
  ],
  'POST /api/messages': [
    { body: { ...MESSAGE_TEXT, sendAt: null, to: { kind: 'operation', operationId: refTo('operation') } } },
    { body: { ...MESSAGE_TEXT, sendAt: null, to: { kind: 'person', participantId: refTo('participant') } } },
  ],
  'POST /api/portal/reminders': { body: { operationId: refTo('operation') } },
  'POST /api/portal/letters': {
    body: { operationId: refTo('operation'), participantIds: [refTo('participant')] },
    own: 409,
  },
  'POST /api/participations/:id/transfer': { params: { id: refTo('stay') }, body: TRANSFER_BODY },
  'POST /api/participations/bulk': { body: { ...BULK_EXIT, dryRun: false } },
  'POST /api/acc-operations/:id/keys': [STATIC_KEY_BODY, COMPLETE_KEY_BODY].map((body) => ({
    params: { id: refTo('operation') },
    body,
  })),
  'PATCH /api/keys/:id': [STATIC_KEY_BODY, COMPLETE_KEY_BODY].map((body) => ({
    params: { id: refTo('key') },
    body: { ...body, version: 1 },
  })),
  'POST /api/effects': [
    { body: { kind: 'join', body: JOIN_BODY } },
    { body: { kind: 'dates', id: refTo('stay'), body: { ...DATES, version: 1 } } },
    { body: { kind: 'transfer', id: refTo('stay'), body: TRANSFER_BODY } },
    { body: { kind: 'remove', id: refTo('stay') } },
    { body: { kind: 'bulk', body: BULK_EXIT } },
    { body: { kind: 'many', body: BULK_BY_IDS } },
    { body: { kind: 'many', body: BULK_BY_FILTER } },
    { body: { kind: 'adopt', id: refTo('key'), body: { version: 1 } } },
    { body: { kind: 'key', id: refTo('key'), body: { ...COMPLETE_KEY_BODY, version: 1 } } },
    { body: { kind: 'import', id: refTo('curveImport'), body: { overwrite: false } }, own: 409 },
    { body: { kind: 'status', id: refTo('operation'), body: { status: 'suspended', version: 1 } } },
    { body: { kind: 'tariff', id: refTo('tariff'), body: { version: 1 } }, own: 422 },
  ],
  'POST /api/enedis/credentials': {
    body: { operationId: refTo('operation'), environment: 'sandbox', clientId: 'a', clientSecret: 'b' },
    own: 422,
  },
  'POST /api/enedis/run': { body: { credentialId: refTo('credential'), call: 'agreements', params: {} }, own: null },
  'POST /api/sync/tasks': {
    body: { kind: 'load-curve', operationId: refTo('operation'), pointIds: [refTo('point')], ...PERIOD },
    own: null,
  },
  'POST /api/sync/errors/handle': { body: { ids: [refTo('syncError')] } },
  'POST /api/sync/points/resume': { body: { operationId: refTo('operation') } },
  'POST /api/projects': { body: { name: 'Prise', kind: 'other', candidates: [CANDIDATE] } },
  'PATCH /api/projects/:id': { params: { id: refTo('project') }, body: { ...PROJECT, version: 1 } },
  'POST /api/regulatory': { body: { operationId: refTo('operation'), kind: 'consumers' } },
  'POST /api/regulatory/duties': { body: { key: `movements:${refTo('operation')}:2025-01-01`, doneOn: '2026-05-04' } },
  'POST /api/reports/templates': { body: { preset: refTo('template'), name: 'Le nôtre' } },
  'POST /api/reports': { body: { template: refTo('template'), subjectId: refTo('operation'), period: '2026-03' } },
  'POST /api/reports/schedules': {
    body: { template: refTo('template'), subjectId: refTo('operation'), ...SCHEDULE_TIMES },
  },
  'PUT /api/reports/schedules/:id': {
    params: { id: refTo('schedule') },
    body: { ...SCHEDULE_TIMES, active: true, version: 1 },
  },
  'POST /api/webhooks/:id/replay': { params: { id: refTo('webhook') }, body: { ids: [refTo('delivery')] } },
  'POST /api/connections/check': { body: { kind: 'feed', settings: { dataSets: 'operations' }, id: refTo('feed') } },
  'POST /api/exports/preview': { body: { ...EXPORT, ...PERIOD } },
  'POST /api/exports': { body: { ...EXPORT, ...PERIOD } },
  'POST /api/export-plans': {
    body: { ...EXPORT, name: 'Prise', connectionId: refTo('drop'), period: 'last-month' },
  },
  'POST /api/supplier-bills': {
    body: { pointId: refTo('point'), supplier: 'Autre', number: 'F1', ...PERIOD, deductedKwh: 10, billedKwh: null },
  },
  'POST /api/support/tickets': [
    { body: { ...TICKET, about: { kind: 'operation', id: refTo('operation') }, fileIds: [refTo('attachment')] } },
    { body: { ...TICKET, about: { kind: 'point', id: refTo('point') } } },
    { body: { ...TICKET, about: { kind: 'invoice', id: refTo('invoice') } } },
  ],
  'POST /api/support/tickets/:id/messages': { params: { id: refTo('ownTicket') }, body: TICKET_MESSAGE },
  'POST /api/support/desk/tickets/:id/messages': { params: { id: refTo('ticket') }, body: TICKET_MESSAGE },
  'PATCH /api/support/desk/tickets/:id': {
    params: { id: refTo('ticket') },
    body: { version: 1, assigneeId: refTo('user') },
  },
  'POST /api/support/desk/tickets/:id/merge': { params: { id: refTo('ticket') }, body: { into: refTo('otherTicket') } },
  'POST /api/flows/rules': RULE_BODIES.map((body) => ({ body })),
  'PATCH /api/flows/rules/:id': RULE_BODIES.map((body) => ({
    params: { id: refTo('flowRule') },
    body: { ...body, version: 1 },
  })),
  'POST /api/flows/dead-letters/replay': [{ body: DEAD_WEBHOOK }, { body: DEAD_RULE }],
  'POST /api/flows/dead-letters/discard': [{ body: DEAD_WEBHOOK }, { body: DEAD_RULE }],
  'PATCH /api/sso/connections/:id': {
    params: { id: refTo('sso') },
    body: {
      name: 'Prise',
      issuer: 'https://prise.fr',
      clientId: 'x',
      clientSecret: 'y',
      roles: [{ group: 'g', role: refTo('role') }],
      defaultRole: refTo('role'),
      version: 1,
    },
    own: 422,
  },
  'POST /api/sso/connections/:id/enforce': {
    params: { id: refTo('sso') },
    body: { on: true, breakGlassId: refTo('user') },
  },
}
