import type { Endpoint } from '@voisol/contract/endpoint'
import { DEFAULT_WHITE_LABEL } from '@voisol/contract/white-label'
import { ANALYTICS_BODIES } from './access-analytics.ts'
import { BOOK_BODIES } from './access-bodies-books.ts'
import { KEY_BODIES } from './access-bodies-keys.ts'
import { REPORT_BODIES } from './access-bodies-reports.ts'
import { BRAND_BODIES } from './access-brand.ts'
import { EXPORT_BODIES } from './access-exports.ts'
import { JOINING_BODIES } from './access-joining.ts'
import { MESSAGE_BODIES, PORTAL_BODIES } from './access-portal.ts'
import { REQUIRED_QUERIES } from './access-queries.ts'
import { SSO_BODIES } from './access-sso.ts'
import { SUPPORT_BODIES } from './access-support.ts'
import { PASSWORD } from './factories.ts'
import { UNKNOWN_ID } from './nobody.ts'

export const formatEndpoint = (e: Endpoint) => `${e.method} ${e.path}`

const OPERATION_BODY = {
  name: 'Prise',
  description: '',
  pmoName: '',
  pmoSiren: '',
  address: '',
  postalCode: '',
  city: '',
  latitude: null,
  longitude: null,
  perimeter: 'extended',
  zone: 'metropole',
  capacityWatts: 0,
  stepMinutes: 15,
  startsOn: null,
  endsOn: null,
  surplusBuyer: '',
  unitPrice: null,
  vatMode: 'standard',
  accNumber: null,
  timeCalendar: { offPeak: [[1320, 360]], peak: false },
}
const POINT_BODY = {
  label: '',
  segment: 'C5',
  subscribedVa: null,
  peakWatts: null,
  azimuth: null,
  tilt: null,
  commissionedOn: null,
  pointAddress: '',
  latitude: null,
  longitude: null,
}
const PARTICIPANT_BODY = {
  kind: 'person',
  name: '',
  firstName: 'A',
  lastName: 'B',
  siren: '',
  email: '',
  phone: '',
  address: '',
  postalCode: '',
  city: '',
  notes: '',
}
export const PROJECT_BODY = {
  name: 'Prise',
  kind: 'other',
  description: '',
  address: '',
  postalCode: '',
  city: '',
  latitude: null,
  longitude: null,
  perimeter: 'extended',
  zone: 'metropole',
  localPrice: 1,
  gridPrice: 1,
  surplusPrice: 1,
  investmentPerKwc: 1,
  yearlyCosts: 0,
  method: 'default',
  targetOn: null,
  roofs: [],
  candidates: [],
  steps: [],
}
const KEY_BODY = { method: 'default', label: '', startsOn: '2025-01-01', decimals: 1, shares: [] }
const TARIFF_BODY = { label: '', startsOn: '2025-01-01', rules: [{ id: 'a', price: 1543 }] }
const FEE_BODY = { sellerId: UNKNOWN_ID, label: 'Prise', amount: 437, every: 'month', startsOn: '2025-01-01' }
const DISCOUNT_BODY = { label: 'Prise', percentBp: 375, startsOn: '2025-01-01' }
const PARTICIPATION_DATES = { startsOn: '2025-01-01', endsOn: null, noticeOn: null, agreementSignedOn: null }

export const SELLER_BODY = {
  name: 'Prise',
  legalForm: '',
  siren: '',
  siret: '',
  vatNumber: '',
  address: '',
  postalCode: '',
  city: '',
  country: 'FR',
  email: '',
  phone: '',
  prefix: 'PRISE-',
  managementFees: [],
  managementFeeRate: 2000,
}
export const BUYER_BODY = {
  kind: 'person',
  legalName: 'Prise',
  jointHolders: [],
  siret: '',
  vatNumber: '',
  serviceCode: '',
  engagement: '',
  address: '',
  postalCode: '',
  city: '',
  country: 'FR',
  email: '',
  delivery: 'mail',
  groupId: null,
  acciseClass: '',
}
const MANDATE_BODY = { startsOn: '2025-01-01', endsOn: null, signedOn: '2025-01-01' }
const TERMS_BODY = {
  patrimonial: false,
  monthsPerInvoice: 1,
  organiserId: null,
  supplierPrice: null,
  surplusPrice: null,
  version: 0,
}

const IBAN = 'FR7630006000011234567890189'
const ACCOUNT_BODY = { name: 'Prise', iban: IBAN, bic: '', ics: '', painVersion: '08' }
const DEBTOR_FIELDS = { creditorId: UNKNOWN_ID, participantId: UNKNOWN_ID, holder: 'Prise', iban: IBAN, bic: '' }

/** Valid bodies, so that only the id can be the reason for a refusal. */
const VALID_BODIES: Record<string, unknown> = {
  'POST /api/participants/:id/erasure': { version: 1 },
  'POST /api/participants/:id/holders': { email: 'prise@exemple.fr', firstName: '', lastName: 'Prise' },
  ...JOINING_BODIES,
  'PATCH /api/users/:id': { firstName: 'A', lastName: 'B', phone: '', role: 'client', version: 1 },
  'PATCH /api/roles/:id': { name: 'Prise', permissions: ['operations.read'], version: 1 },
  'PATCH /api/companies/:companyId': {
    name: 'Prise',
    legalName: '',
    siren: '',
    address: '',
    email: '',
    phone: '',
    version: 1,
  },
  'PATCH /api/auth/passkeys/:id': { name: 'Prise', version: 1 },
  // A wrong password: a pending second factor would change what the next caller must do.
  'POST /api/auth/second-factor': { password: 'pas celui-là' },
  'POST /api/auth/passkeys/:id/remove': { password: PASSWORD },
  // A wrong password: the caller of these loops is still needed.
  'POST /api/portal/closure': { password: 'pas celui-là' },
  'PUT /api/companies/:companyId/second-factor': { secondFactor: 'everyone', version: 1 },
  'PUT /api/companies/:companyId/white-label': { ...DEFAULT_WHITE_LABEL, primaryColor: '#FF0000', version: 0 },
  'PATCH /api/acc-operations/:id': { ...OPERATION_BODY, version: 1 },
  'POST /api/acc-operations/:id/status': { status: 'suspended', version: 1 },
  'POST /api/acc-operations/:id/keys': KEY_BODY,
  'POST /api/acc-operations/:id/allocation-runs': { from: '2025-01-01', to: '2025-02-01', kind: 'provisional' },
  'PATCH /api/participants/:id': { ...PARTICIPANT_BODY, version: 1 },
  'POST /api/backups/:id/confirm': { password: 'pas celui-là' },
  'POST /api/installation/trusted-installations': {
    name: 'Voisol de Lyon',
    publicKey: `${'A'.repeat(43)}=`,
    password: 'pas celui-là',
  },
  'PUT /api/installation/backups/schedule': {
    enabled: true,
    hour: 3,
    drillDay: 6,
    days: 7,
    weeks: 4,
    months: 6,
    version: 1,
  },
  'PUT /api/participants/:id/bank': { iban: '', version: 1 },
  'POST /api/participants/:id/consents': {
    purpose: 'collection',
    textVersion: '2026-01',
    method: 'paper',
    givenOn: '2026-06-01',
    expiresOn: '2028-06-01',
  },
  'POST /api/invoices/:id/send': { channel: 'portal' },
  'POST /api/invoices/:id/deliveries': { channel: 'chorus', state: 'deposited' },
  'PATCH /api/points/:id': { ...POINT_BODY, version: 1 },
  'PUT /api/points/:id/place': { latitude: 45.7, longitude: 4.8, version: 1 },
  'PATCH /api/participations/:id': { ...PARTICIPATION_DATES, version: 1 },
  'POST /api/participations/:id/transfer': { participantId: UNKNOWN_ID, on: '2025-06-01', agreementSignedOn: null },
  'PATCH /api/keys/:id': { ...KEY_BODY, version: 1 },
  'POST /api/keys/:id/adopt': { version: 1 },
  'PATCH /api/curve-imports/:id': { unit: 'kW' },
  'POST /api/curve-imports/:id/commit': { overwrite: true },
  'PUT /api/enedis/credentials/:id': {
    environment: 'production',
    backend: 'holder',
    clientId: 'a',
    clientSecret: 'b',
    version: 1,
  },
  'PATCH /api/sellers/:id': { ...SELLER_BODY, version: 1 },
  'PUT /api/sellers/:id/bank': { iban: '', bic: '', version: 1 },
  'POST /api/sellers/:id/vat': { startsOn: '2025-01-01', mode: 'standard', rate: 2000 },
  'POST /api/sellers/:id/mandates': MANDATE_BODY,
  'PATCH /api/billing-mandates/:id': { ...MANDATE_BODY, version: 1 },
  'PUT /api/buyers/:id': { ...BUYER_BODY, version: 0 },
  'PATCH /api/buyer-groups/:id': { name: 'Prise', note: '', version: 1 },
  'PUT /api/acc-operations/:id/billing-terms': TERMS_BODY,
  'POST /api/takeovers/series': { sellerId: UNKNOWN_ID, year: 2026, last: 12 },
  'POST /api/regulatory': { operationId: UNKNOWN_ID, kind: 'consumers' },
  'POST /api/regulatory/:id/sendings': { sentOn: '2026-05-04', to: 'Enedis', channel: 'mail' },
  'POST /api/regulatory/duties': { key: `yearly:${UNKNOWN_ID}:2025`, doneOn: '2026-05-04' },
  'POST /api/billing/months/:operationId/:month/close': { reason: 'Prise de contrôle' },
  'PATCH /api/projects/:id': { ...PROJECT_BODY, version: 1 },
  'POST /api/projects/:id/status': { status: 'study', version: 1 },
  'POST /api/projects/:id/notes': { text: 'Prise' },
  'POST /api/projects/:id/operation': { startsOn: '2027-01-01', version: 1 },
  'POST /api/payments/:id/undo': { reason: 'Saisi deux fois.' },
  'POST /api/reminder-holds/:id/close': { resolution: 'Réglé à l’amiable.', version: 1 },
  'POST /api/payouts/:id/paid': { on: '2026-05-04', bankReference: '', version: 1 },
  'POST /api/payouts/:id/cancel': { version: 1 },
  'POST /api/corrections/:id/issue': { seal: 'a' },
  'POST /api/corrections/:id/leave': { reason: 'Rien à corriger ici.' },
  'POST /api/corrections/cancellations': { invoiceId: UNKNOWN_ID, reason: 'Mauvais acheteur.' },
  'POST /api/acc-operations/:id/tariffs': TARIFF_BODY,
  'POST /api/acc-operations/:id/tariffs/trial': { startsOn: '2025-01-01', day: '2025-01-01', rules: [] },
  'PATCH /api/tariffs/:id': { ...TARIFF_BODY, version: 1 },
  'POST /api/tariffs/:id/copy': { startsOn: '2025-02-01' },
  'POST /api/tariffs/:id/adopt': { version: 1 },
  'POST /api/acc-operations/:id/tariff-fees': FEE_BODY,
  'PATCH /api/tariff-fees/:id': { ...FEE_BODY, version: 1 },
  'POST /api/acc-operations/:id/tariff-discounts': DISCOUNT_BODY,
  'PUT /api/acc-operations/:id/tariff-discounts/order': { ids: [] },
  'PATCH /api/tariff-discounts/:id': { ...DISCOUNT_BODY, version: 1 },
  'PATCH /api/price-indexes/:id': { name: 'Prise', source: '', version: 1 },
  'POST /api/price-indexes/:id/values': { startsOn: '2025-01-01', value: '118.02' },
  'POST /api/bank-accounts': { ...ACCOUNT_BODY, ownerId: UNKNOWN_ID },
  'PATCH /api/bank-accounts/:id': { ...ACCOUNT_BODY, version: 1 },
  'PUT /api/bank-accounts/:id/columns': {
    date: 'Date',
    label: 'Libellé',
    amount: 'Montant',
    credit: '',
    debit: '',
    party: '',
    reference: '',
    dayFirst: true,
  },
  'POST /api/bank-lines/:id/accept': { version: 1 },
  'POST /api/bank-lines/:id/settle': { parts: [{ invoiceId: UNKNOWN_ID, amount: 1 }], version: 1 },
  'POST /api/bank-lines/:id/ignore': { reason: 'Prise', version: 1 },
  'POST /api/bank-lines/:id/undo': { version: 1 },
  'POST /api/mandates': { ...DEBTOR_FIELDS, kind: 'recurrent', signedOn: '2025-01-01' },
  'POST /api/mandates/take-over': { creditorId: UNKNOWN_ID },
  'POST /api/mandates/sign': { ...DEBTOR_FIELDS, name: 'Prise', hash: 'a'.repeat(64) },
  'PUT /api/mandates/:id/account': { holder: 'Prise', iban: IBAN, bic: '', version: 1 },
  'POST /api/mandates/:id/revoke': { reason: 'Prise', version: 1 },
  'POST /api/debit-runs': { accountId: UNKNOWN_ID, except: [] },
  'POST /api/debit-runs/:id/file': { version: 1 },
  'POST /api/debit-runs/:id/sent': { version: 1 },
  'POST /api/debit-runs/:id/cancel': { version: 1 },
  'PATCH /api/online/providers/:id': { everyone: false, card: true, debit: false, version: 1 },
  'POST /api/online/checkout/:invoiceId': { method: 'card', amount: 413 },
  'POST /api/online/payments/:id/refund': { amount: 13 },
  'POST /api/online/letters/:id/settle': { note: 'Rien à en faire.' },
  'PUT /api/buyers/:id/lots': { by: 'share', lots: [{ number: '1', holder: 'Prise', shares: 137 }], version: 0 },
  ...ANALYTICS_BODIES,
  ...BRAND_BODIES,
  ...BOOK_BODIES,
  ...PORTAL_BODIES,
  ...MESSAGE_BODIES,
  ...SUPPORT_BODIES,
  ...REPORT_BODIES,
  ...SSO_BODIES,
  ...KEY_BODIES,
  ...EXPORT_BODIES,
}

/** A valid input for the endpoint, except the tested id. */
export function buildValidInput(e: Endpoint) {
  if (e.body && !(formatEndpoint(e) in VALID_BODIES)) throw new Error(`${formatEndpoint(e)} has no body in BODIES`)
  return {
    ...(e.body && { body: VALID_BODIES[formatEndpoint(e)] }),
    ...(REQUIRED_QUERIES[formatEndpoint(e)] && { query: REQUIRED_QUERIES[formatEndpoint(e)] }),
    ...(e.upload && { upload: Buffer.from('Horodate;19000000000001\n') }),
  }
}
