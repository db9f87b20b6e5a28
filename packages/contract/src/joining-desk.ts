import { z } from 'zod'
import { ConsentPurpose } from './consents.ts'
import { endpoint } from './endpoint.ts'
import { ApplicationKind, ApplicationState } from './joining-words.ts'
import { ListQuery, page } from './list.ts'
import { ParticipantKind } from './participant-kinds.ts'
import { Day, Id, Instant, OptionalEmail, OptionalText, Version } from './primitives.ts'
import { Proof, Signature } from './signatures.ts'

const Prose = z.string().trim().max(20_000)
const settings = {
  /** The readable part of the address. */
  slug: z
    .string()
    .trim()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Des minuscules, des chiffres et des tirets, par exemple les-tilleuls.')
    .max(60),
  isOpen: z.boolean(),
  presentation: Prose,
  conditions: Prose,
  agreement: Prose,
  /** Between asking to leave and leaving. */
  noticeDays: z.int().min(0).max(366),
}

/** How one joins an operation: as it stands, or as it would be proposed where nobody has decided yet (`version` 0). */
export const JoinSettings = z.object({
  ...settings,
  operationId: Id,
  /** The whole address, where people read it. */
  url: z.string(),
  /** Counts the texts of the agreement. */
  agreementVersion: z.int(),
  price: z.int().nullable(),
  firstOn: Day,
  version: z.int(),
})
export type JoinSettings = z.infer<typeof JoinSettings>
export const JoinSettingsUpdate = z.strictObject({ ...settings, version: z.int().min(0) })

export const Application = z.object({
  id: Id,
  kind: ApplicationKind,
  state: ApplicationState,
  operationId: Id,
  operation: z.string(),
  participantKind: ParticipantKind,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  siren: z.string(),
  address: z.string(),
  postalCode: z.string(),
  city: z.string(),
  prm: z.string(),
  message: z.string(),
  consents: z.array(z.object({ purpose: ConsentPurpose, version: z.string() })),
  /** Of a departure: the day that is asked for, where to, and who follows. */
  wantedOn: Day.nullable(),
  newAddress: z.string(),
  successorName: z.string(),
  successorEmail: z.string(),
  participantId: Id.nullable(),
  effectiveOn: Day.nullable(),
  reason: z.string(),
  decidedAt: Instant.nullable(),
  decidedBy: z.string(),
  signedAt: Instant.nullable(),
  hasPaper: z.boolean(),
  createdAt: Instant,
  version: z.int(),
})
export type Application = z.infer<typeof Application>

/** One of them, with what the organiser weighs. */
export const ApplicationDetail = Application.extend({
  proof: Proof.nullable(),
  /** The first day it may take effect, were it accepted today. */
  firstOn: Day,
  /** What stands in the way or should be looked at. */
  remarks: z.array(z.object({ severity: z.enum(['refused', 'warning']), message: z.string() })),
})
export type ApplicationDetail = z.infer<typeof ApplicationDetail>

const ApplicationQuery = ListQuery.extend({
  operationId: Id.optional(),
  state: ApplicationState.optional(),
  kind: ApplicationKind.optional(),
})

/** Somewhere of one's own that one may leave, with what follows. */
const Seat = z.object({
  participationId: Id,
  participant: z.string(),
  operation: z.string(),
  label: z.string(),
  prm: z.string(),
  startsOn: Day,
  endsOn: Day.nullable(),
  noticeDays: z.int(),
  firstOn: Day,
})
export type LeavingSeat = z.infer<typeof Seat>

const departure = {
  kind: z.enum(['leave', 'move']),
  on: Day,
  newAddress: OptionalText.default(''),
  successorName: OptionalText.default(''),
  successorEmail: OptionalEmail.default(''),
}
export const DepartureDraft = z.strictObject({ ...departure, ...Signature.shape })

const params = z.object({ id: Id })
const one = '/api/applications/:id'
const own = '/api/portal/departures'
const seat = '/api/participations/:id/departure'
const reading = { permission: 'participants.read' } as const
const deciding = { permission: 'participants.write' } as const
/** In the portal, what is one's own. */
const ownReading = { ...reading, portal: true } as const
const ownDeciding = { ...deciding, portal: true } as const

export const joiningDesk = {
  settings: endpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/joining',
    access: { permission: 'operations.read' },
    summary: 'Lire la page «\u00a0Rejoindre\u00a0» d’une opération',
    params,
    response: JoinSettings,
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/api/acc-operations/:id/joining',
    access: { permission: 'operations.write' },
    summary: 'Régler la page «\u00a0Rejoindre\u00a0» d’une opération',
    params,
    body: JoinSettingsUpdate,
    response: JoinSettings,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/applications',
    access: reading,
    summary: 'Lister les demandes d’entrée et de départ',
    query: ApplicationQuery,
    response: page(Application),
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    access: reading,
    summary: 'Lire une demande d’entrée ou de départ',
    params,
    response: ApplicationDetail,
  }),
  accept: endpoint({
    method: 'POST',
    path: `${one}/accept`,
    access: deciding,
    summary: 'Accepter une demande d’entrée ou de départ',
    params,
    body: z.strictObject({ on: Day, version: Version }),
    response: ApplicationDetail,
  }),
  refuse: endpoint({
    method: 'POST',
    path: `${one}/refuse`,
    access: deciding,
    summary: 'Refuser une demande d’entrée ou de départ',
    params,
    body: z.strictObject({
      reason: z.string().trim().min(10, 'Dites pourquoi en quelques mots (10 caractères au moins).').max(2000),
      version: Version,
    }),
    response: ApplicationDetail,
  }),
  paper: endpoint({
    method: 'GET',
    path: `${one}/paper`,
    access: ownReading,
    summary: 'Télécharger une demande signée',
    params,
    response: { file: 'application/pdf' },
  }),
  departures: endpoint({
    method: 'GET',
    path: own,
    access: { portal: true },
    summary: 'Voir comment quitter son opération',
    response: z.object({
      seats: z.array(Seat),
      items: z.array(Application),
      /** What goes on or remains: cents to be paid, mandates in force. */
      facts: z.object({ open: z.int(), mandates: z.int() }),
    }),
  }),
  departureText: endpoint({
    method: 'GET',
    path: seat,
    access: ownReading,
    summary: 'Lire le texte d’une demande de départ à signer',
    params,
    query: z.object({ kind: z.enum(['leave', 'move']), on: Day }),
    response: z.object({ text: z.string(), hash: z.string() }),
  }),
  depart: endpoint({
    method: 'POST',
    path: seat,
    access: ownDeciding,
    summary: 'Demander à quitter son opération',
    params,
    body: DepartureDraft,
    response: Application,
  }),
  stay: endpoint({
    method: 'POST',
    path: `${one}/withdrawal`,
    access: ownDeciding,
    summary: 'Retirer sa demande de départ',
    params,
    body: z.strictObject({ version: Version }),
    response: Application,
  }),
}
