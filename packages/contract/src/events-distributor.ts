import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { Day, Id } from './primitives.ts'

const POINT = '3f7d9a52-c4b1-4d83-9e6f-0a8b7c2d1e39'
const OPERATION = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'
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
