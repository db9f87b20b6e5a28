import { z } from 'zod'
import { ConsentPurpose } from './consents.ts'
import { defineEvent, defineOpenEvent, defineRetiredEvent } from './event.ts'
import { OperationStatus } from './operations.ts'
import { Day, Id } from './primitives.ts'

const OPERATION = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'
const PARTICIPATION = '91f4c0de-3b7a-4e15-8c2d-6f0a9b3e7d54'
const POINT = '3f7d9a52-c4b1-4d83-9e6f-0a8b7c2d1e39'
const KEY = '0c9e6d4b-2f1a-4b87-a5d3-7e8f9c0b1a26'
const IMPORT = 'a7d5e3c1-9b8f-4f60-8e2d-4c6b5a3f1d97'
const RUN = 'd2b4f6a8-1c3e-4579-b8d0-5f7a9c1e3b64'

/** Days whose figures may have changed; without an end they are open. */
const Days = z.object({ from: Day, to: Day.nullable() })
const ChangedDays = Days.nullable()
const sampleDays = { from: '2026-05-07', to: '2026-05-19' }

const operation = { operationId: Id, name: z.string(), status: OperationStatus }
const members = z.object({ operationId: Id, participationIds: z.array(Id), days: ChangedDays })
const membersSample = { operationId: OPERATION, participationIds: [PARTICIPATION], days: sampleDays }
const key = z.object({ keyId: Id, operationId: Id, number: z.int(), days: Days })
const keySample = { keyId: KEY, operationId: OPERATION, number: 3, days: { from: '2026-05-07', to: null } }

/** Points with new data, with the affected days of each month, first to last. */
const Readings = z.array(z.object({ pointIds: z.array(Id), days: z.array(z.object({ from: Day, to: Day })) }))
const curves = { operations: z.array(Id), inserted: z.int(), changed: z.int(), same: z.int(), readings: Readings }
const curvesSample = {
  operations: [OPERATION],
  inserted: 11,
  changed: 1,
  same: 3,
  readings: [{ pointIds: [POINT], days: [sampleDays] }],
}

const consent = z.object({ consentId: Id, participantId: Id, purpose: ConsentPurpose, expiresOn: Day })
const consentSample = {
  consentId: KEY,
  participantId: PARTICIPATION,
  purpose: 'collection' as const,
  expiresOn: '2029-05-18',
}

const run = { runId: Id, operationId: Id, kind: z.enum(['provisional', 'definitive']), from: Day, to: Day }
const runSample = {
  runId: RUN,
  operationId: OPERATION,
  kind: 'definitive' as const,
  from: '2026-05-01',
  to: '2026-06-01',
}

export const energyEvents = {
  'operation.created': defineOpenEvent({
    label: 'Opération créée',
    data: z.object(operation),
    sample: { operationId: OPERATION, name: 'Les Tilleuls', status: 'draft' },
  }),
  'operation.updated': defineOpenEvent({
    label: 'Opération modifiée',
    data: z.object({ ...operation, days: ChangedDays }),
    sample: { operationId: OPERATION, name: 'Les Tilleuls', status: 'active', days: null },
  }),
  'operation.status-changed': defineOpenEvent({
    label: 'État d’une opération changé',
    data: z.object({ ...operation, on: Day }),
    sample: { operationId: OPERATION, name: 'Les Tilleuls', status: 'active', on: '2026-05-19' },
  }),
  'participant.created': defineOpenEvent({
    label: 'Participant ajouté',
    data: z.object({ participantId: Id, kind: z.string() }),
    sample: { participantId: PARTICIPATION, kind: 'person' },
  }),
  'participant.updated': defineOpenEvent({
    label: 'Participant modifié',
    data: z.object({ participantId: Id }),
    sample: { participantId: PARTICIPATION },
  }),
  'participant.removed': defineOpenEvent({
    label: 'Participant supprimé',
    data: z.object({ participantId: Id }),
    sample: { participantId: PARTICIPATION },
  }),
  'consent.given': defineOpenEvent({ label: 'Consentement donné', data: consent, sample: consentSample }),
  'consent.withdrawn': defineOpenEvent({ label: 'Consentement retiré', data: consent, sample: consentSample }),
  'month.summed': defineEvent({
    label: 'Mois d’un participant résumé',
    /** The account that was notified, and the first day of the month. */
    data: z.object({ userId: Id, month: Day }),
    sample: { userId: PARTICIPATION, month: '2026-05-01' },
  }),
  'consent.asked': defineEvent({
    label: 'Consentement demandé',
    data: z.object({ participantId: Id, purpose: ConsentPurpose }),
    sample: { participantId: PARTICIPATION, purpose: 'collection' as const },
  }),
  'participation.started': defineOpenEvent({ label: 'Participation ajoutée', data: members, sample: membersSample }),
  'participation.enrolled': defineRetiredEvent({
    label: 'Participations importées',
    data: members,
    sample: membersSample,
  }),
  'participation.changed': defineOpenEvent({ label: 'Participation modifiée', data: members, sample: membersSample }),
  'participation.removed': defineOpenEvent({ label: 'Participation retirée', data: members, sample: membersSample }),
  'participation.transferred': defineOpenEvent({ label: 'Point transféré', data: members, sample: membersSample }),
  'key.adopted': defineOpenEvent({ label: 'Clé de répartition adoptée', data: key, sample: keySample }),
  'key.changed': defineOpenEvent({ label: 'Clé de répartition adoptée modifiée', data: key, sample: keySample }),
  'curves.asked': defineEvent({
    label: 'Fichier de courbes à vérifier',
    data: z.object({ importId: Id }),
    sample: { importId: IMPORT },
  }),
  'curves.imported': defineOpenEvent({
    label: 'Courbes importées',
    data: z.object({ importId: Id, ...curves }),
    sample: { importId: IMPORT, ...curvesSample },
  }),
  'curves.received': defineOpenEvent({
    label: 'Courbes reçues',
    /** `ref` is the synchronisation task or the distributor's file that brought them. */
    data: z.object({ source: z.enum(['sync', 'file', 'other']), ref: Id.nullable(), ...curves }),
    sample: { source: 'sync', ref: IMPORT, ...curvesSample },
  }),
  'allocation.completed': defineOpenEvent({
    label: 'Répartition calculée',
    data: z.object({ ...run, resultHash: z.string(), steps: z.int(), excluded: z.int() }),
    sample: { ...runSample, resultHash: '9f2c41d7', steps: 2976, excluded: 12 },
  }),
  'allocation.failed': defineOpenEvent({
    label: 'Répartition échouée',
    data: z.object({ ...run, reason: z.string() }),
    sample: { ...runSample, reason: 'La clé de répartition ne couvre pas toute la période.' },
  }),
  'allocation.invalidated': defineOpenEvent({
    label: 'Répartition définitive à refaire',
    data: z.object({ ...run, reason: z.string() }),
    sample: { ...runSample, reason: 'Des relevés de cette période ont changé.' },
  }),
  'forecast.issued': defineOpenEvent({
    label: 'Prévisions émises',
    data: z.object({ operationId: Id, day: Day }),
    sample: { operationId: OPERATION, day: '2026-05-19' },
  }),
}

const CREDENTIAL = 'e8a6c4b2-0d1f-4a37-8c5e-9b7d6f4a2c18'

/** The refusal of the distributor, as worded for users. */
const fault = { code: z.string(), explanation: z.string(), remedy: z.string() }
const faultSample = {
  code: 'ADAM-DC-0008',
  explanation: 'Le consentement n’est plus valable.',
  remedy: 'Demandez un nouvel accord au participant.',
}

export const distributorEvents = {
  'point.blocked': defineOpenEvent({
    label: 'Appels d’un point arrêtés',
    /** `retried`: it is requested once more in a day. */
    data: z.object({ pointId: Id, since: z.string(), retried: z.boolean(), ...fault }),
    sample: { pointId: POINT, since: '2026-05-19T06:12:31.000Z', retried: false, ...faultSample },
  }),
  'credential.refused': defineEvent({
    label: 'Identifiants Enedis refusés',
    data: z.object({ credentialId: Id, version: z.int(), on: Day, ...fault }),
    sample: { credentialId: CREDENTIAL, version: 2, on: '2026-05-19', ...faultSample },
  }),
  'expiry.approached': defineOpenEvent({
    label: 'Fin d’un accord ou d’un accès proche',
    /**
     * `warning` is how many days before the end this is recorded; a consent belongs to a participant, an access to a
     * point.
     */
    data: z.object({
      kind: z.enum(['consent', 'access']),
      id: Id,
      participantId: Id,
      on: Day,
      left: z.int(),
      warning: z.int(),
    }),
    sample: { kind: 'access', id: POINT, participantId: OPERATION, on: '2026-06-17', left: 29, warning: 30 },
  }),
  'quantities.received': defineOpenEvent({
    label: 'Quantités d’Enedis reçues',
    /** Only new data: number of points, first and last day. */
    data: z.object({ operationId: Id, points: z.int(), from: Day, to: Day }),
    sample: { operationId: OPERATION, points: 17, from: '2026-05-01', to: '2026-06-01' },
  }),
  'departure.announced': defineOpenEvent({
    label: 'Départ annoncé par le distributeur',
    data: z.object({ operationId: Id, pointId: Id, event: z.string(), on: Day }),
    sample: { operationId: OPERATION, pointId: POINT, event: 'RES', on: '2026-06-11' },
  }),
}
