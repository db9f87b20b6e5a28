import { z } from 'zod'
import { defineOpenEvent } from './event.ts'
import { Day, Id } from './primitives.ts'

const EXPORT = '0c5e8a37-9f24-4d61-8b7e-2a4c6d9f1e83'
const OPERATION = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'
const PARTY = '4f8b2d6c-a1e7-4590-b3c9-7d0e5a2f9b81'

const issuedExport = z.object({ exportId: Id, operationId: Id, kind: z.string(), period: z.string(), number: z.int() })
const issuedExportSample = { exportId: EXPORT, operationId: OPERATION, kind: 'movements', period: '2026-06', number: 2 }

/**
 * Files for the administration and the distributor, and yearly documents of participants. The recipient is not
 * included: it may name a person.
 */
export const declarationEvents = {
  'declaration.issued': defineOpenEvent({
    label: 'Déclaration établie',
    data: z.object({
      declarationId: Id,
      kind: z.string(),
      sellerId: Id.nullable(),
      participantId: Id.nullable(),
      from: Day,
      to: Day,
      number: z.int(),
    }),
    sample: {
      declarationId: EXPORT,
      kind: 'vat',
      sellerId: PARTY,
      participantId: null,
      from: '2026-01-01',
      to: '2027-01-01',
      number: 1,
    },
  }),
  'regulatory.issued': defineOpenEvent({
    label: 'Export réglementaire établi',
    data: issuedExport,
    sample: issuedExportSample,
  }),
  'regulatory.sent': defineOpenEvent({
    label: 'Envoi réglementaire noté',
    data: issuedExport.extend({ on: Day, channel: z.string() }),
    sample: { ...issuedExportSample, on: '2026-06-29', channel: 'mail' },
  }),
}
