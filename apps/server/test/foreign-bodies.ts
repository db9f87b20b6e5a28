import { monthsIn, sealOf } from '../src/features/administration/retention/durations.ts'
import { PROJECT as ANY_PROJECT } from './access-bodies.ts'
import { MONEY_FOREIGN } from './foreign-bodies-money.ts'
import { type Foreign, ref } from './foreign-rows.ts'

const PLACE = { latitude: null, longitude: null }
const CANDIDATE = {
  name: 'Ana',
  email: '',
  kind: 'person',
  prm: '',
  profile: 'household',
  yearlyKwh: 3100,
  pointId: ref('point'),
  ...PLACE,
}
const PROJECT = { ...ANY_PROJECT, candidates: [CANDIDATE] }
const NAMES = { firstName: 'Ana', lastName: 'Roy' }
const ROLE = { role: ref('role'), operationIds: [ref('operation')] }
const JOIN = {
  operationId: ref('operation'),
  participantId: ref('participant'),
  prm: '19125759625988',
  direction: 'consumption',
  startsOn: '2025-01-01',
}
const MOVE = { participantId: ref('newcomer'), on: '2025-06-01', agreementSignedOn: null }
const EXIT = { ids: [ref('stay')], change: 'exit', on: '2025-06-01', noticeOn: null }
const TAG = { kind: 'tags', add: ['Prise'], remove: [] }
const CHOSEN = { selection: { ids: [ref('participant')] }, operationId: ref('operation'), action: TAG }
const MATCHED = { selection: { filter: { operationId: ref('operation') } }, action: TAG }
const KEY = { method: 'static', label: '', startsOn: '2025-01-01', decimals: 1 }
const SHARES = { ...KEY, shares: [{ pointId: ref('point'), share: 1_000_000 }] }
const PAIRS = {
  ...KEY,
  method: 'complete',
  shares: [{ pointId: ref('point'), producerId: ref('roof'), share: 1_000_000 }],
}
const SPAN = { from: '2026-03-01', to: '2026-04-01' }
const EXPORT = { dataSet: 'readings', operationId: ref('operation'), participantId: ref('participant'), format: 'csv' }
const RULE = { name: 'Prise', event: 'operation.created', conditions: [], fields: [], active: true }
const to = (kind: string, id: string) => ({ ...RULE, destination: { kind, id } })
const RULES = [to('webhook', ref('webhook')), to('mail', ref('user')), to('connection', ref('drop'))]
const DEAD = { items: [{ kind: 'webhook', id: ref('delivery') }] }
const DEAD_RULE = { items: [{ kind: 'rule', id: ref('flowDelivery') }] }
const RHYTHM = { month: null, day: 3, recipientIds: [ref('user')] }
const TICKET = { subject: 'Ma facture', category: 'invoice', body: 'Pourquoi ce montant\u00a0?' }
const WORDS = { body: 'Voici.', fileIds: [ref('attachment')] }
const WRITTEN = { subject: 'Coupure', body: 'Demain.' }
const DATES = { startsOn: '2025-01-01', endsOn: null, noticeOn: null, agreementSignedOn: null }

/**
 * Every call whose body names things by their ids, as a valid one names one's own. `own` is what that call answers, 200
 * unless said; null where it would call somebody else's machine.
 */
export const FOREIGN: Record<string, Foreign | Foreign[]> = {
  ...MONEY_FOREIGN,
  'PATCH /api/users/:id': { params: { id: ref('user') }, body: { ...NAMES, phone: '', ...ROLE, version: 2 } },
  'POST /api/retention/confirm': { body: { id: ref('retentionPreview'), seal: sealOf(monthsIn([])) } },
  'POST /api/users': { body: { email: 'invitee@exemple.fr', ...NAMES, ...ROLE } },
  'POST /api/api-keys': { body: { name: 'Prise', permissions: ['operations.read'], operationIds: [ref('operation')] } },
  'POST /api/participants/bulk': [{ body: { ...CHOSEN, dryRun: true } }, { body: { ...MATCHED, dryRun: true } }],
  'POST /api/participations': { body: JOIN },
  'POST /api/messages/preview': [
    { body: { ...WRITTEN, to: { kind: 'operation', operationId: ref('operation') } } },
    { body: { ...WRITTEN, to: { kind: 'person', participantId: ref('participant') } } },
  ],
  'POST /api/messages': [
    { body: { ...WRITTEN, sendAt: null, to: { kind: 'operation', operationId: ref('operation') } } },
    { body: { ...WRITTEN, sendAt: null, to: { kind: 'person', participantId: ref('participant') } } },
  ],
  'POST /api/portal/reminders': { body: { operationId: ref('operation') } },
  'POST /api/portal/letters': {
    body: { operationId: ref('operation'), participantIds: [ref('participant')] },
    own: 409,
  },
  'POST /api/participations/:id/transfer': { params: { id: ref('stay') }, body: MOVE },
  'POST /api/participations/bulk': { body: { ...EXIT, dryRun: false } },
  'POST /api/acc-operations/:id/keys': [SHARES, PAIRS].map((body) => ({ params: { id: ref('operation') }, body })),
  'PATCH /api/keys/:id': [SHARES, PAIRS].map((body) => ({
    params: { id: ref('key') },
    body: { ...body, version: 1 },
  })),
  'POST /api/effects': [
    { body: { kind: 'join', body: JOIN } },
    { body: { kind: 'dates', id: ref('stay'), body: { ...DATES, version: 1 } } },
    { body: { kind: 'transfer', id: ref('stay'), body: MOVE } },
    { body: { kind: 'remove', id: ref('stay') } },
    { body: { kind: 'bulk', body: EXIT } },
    { body: { kind: 'many', body: CHOSEN } },
    { body: { kind: 'many', body: MATCHED } },
    { body: { kind: 'adopt', id: ref('key'), body: { version: 1 } } },
    { body: { kind: 'key', id: ref('key'), body: { ...PAIRS, version: 1 } } },
    { body: { kind: 'import', id: ref('curveImport'), body: { overwrite: false } }, own: 409 },
    { body: { kind: 'status', id: ref('operation'), body: { status: 'suspended', version: 1 } } },
    { body: { kind: 'tariff', id: ref('tariff'), body: { version: 1 } }, own: 422 },
  ],
  'POST /api/enedis/credentials': {
    body: { operationId: ref('operation'), environment: 'sandbox', clientId: 'a', clientSecret: 'b' },
    own: 422,
  },
  'POST /api/enedis/run': { body: { credentialId: ref('credential'), call: 'agreements', params: {} }, own: null },
  'POST /api/sync/tasks': {
    body: { kind: 'load-curve', operationId: ref('operation'), pointIds: [ref('point')], ...SPAN },
    own: null,
  },
  'POST /api/sync/errors/handle': { body: { ids: [ref('syncError')] } },
  'POST /api/sync/points/resume': { body: { operationId: ref('operation') } },
  'POST /api/projects': { body: { name: 'Prise', kind: 'other', candidates: [CANDIDATE] } },
  'PATCH /api/projects/:id': { params: { id: ref('project') }, body: { ...PROJECT, version: 1 } },
  'POST /api/regulatory': { body: { operationId: ref('operation'), kind: 'consumers' } },
  'POST /api/regulatory/duties': { body: { key: `movements:${ref('operation')}:2025-01-01`, doneOn: '2026-05-04' } },
  'POST /api/reports/templates': { body: { preset: ref('template'), name: 'Le nôtre' } },
  'POST /api/reports': { body: { template: ref('template'), subjectId: ref('operation'), period: '2026-03' } },
  'POST /api/reports/schedules': { body: { template: ref('template'), subjectId: ref('operation'), ...RHYTHM } },
  'PUT /api/reports/schedules/:id': {
    params: { id: ref('schedule') },
    body: { ...RHYTHM, active: true, version: 1 },
  },
  'POST /api/webhooks/:id/replay': { params: { id: ref('webhook') }, body: { ids: [ref('delivery')] } },
  'POST /api/connections/check': { body: { kind: 'feed', settings: { dataSets: 'operations' }, id: ref('feed') } },
  'POST /api/exports/preview': { body: { ...EXPORT, ...SPAN } },
  'POST /api/exports': { body: { ...EXPORT, ...SPAN } },
  'POST /api/export-plans': {
    body: { ...EXPORT, name: 'Prise', connectionId: ref('drop'), period: 'last-month' },
  },
  'POST /api/supplier-bills': {
    body: { pointId: ref('point'), supplier: 'Autre', number: 'F1', ...SPAN, deductedKwh: 10, billedKwh: null },
  },
  'POST /api/support/tickets': [
    { body: { ...TICKET, about: { kind: 'operation', id: ref('operation') }, fileIds: [ref('attachment')] } },
    { body: { ...TICKET, about: { kind: 'point', id: ref('point') } } },
    { body: { ...TICKET, about: { kind: 'invoice', id: ref('invoice') } } },
  ],
  'POST /api/support/tickets/:id/messages': { params: { id: ref('ownTicket') }, body: WORDS },
  'POST /api/support/desk/tickets/:id/messages': { params: { id: ref('ticket') }, body: WORDS },
  'PATCH /api/support/desk/tickets/:id': {
    params: { id: ref('ticket') },
    body: { version: 1, assigneeId: ref('user') },
  },
  'POST /api/support/desk/tickets/:id/merge': { params: { id: ref('ticket') }, body: { into: ref('otherTicket') } },
  'POST /api/flows/rules': RULES.map((body) => ({ body })),
  'PATCH /api/flows/rules/:id': RULES.map((body) => ({
    params: { id: ref('flowRule') },
    body: { ...body, version: 1 },
  })),
  'POST /api/flows/dead-letters/replay': [{ body: DEAD }, { body: DEAD_RULE }],
  'POST /api/flows/dead-letters/discard': [{ body: DEAD }, { body: DEAD_RULE }],
  'PATCH /api/sso/connections/:id': {
    params: { id: ref('sso') },
    body: {
      name: 'Prise',
      issuer: 'https://prise.fr',
      clientId: 'x',
      clientSecret: 'y',
      roles: [{ group: 'g', role: ref('role') }],
      defaultRole: ref('role'),
      version: 1,
    },
    own: 422,
  },
  'POST /api/sso/connections/:id/enforce': {
    params: { id: ref('sso') },
    body: { on: true, breakGlassId: ref('user') },
  },
}
