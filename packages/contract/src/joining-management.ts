import { z } from 'zod'
import { ConsentPurpose } from './consents.ts'
import { defineEndpoint } from './endpoint.ts'
import { ApplicationKind, ApplicationState } from './joining-labels.ts'
import { ParticipantKind } from './participant-kinds.ts'
import { buildPageSchema, Day, Id, Instant, ListQuery, OptionalEmail, OptionalText, Version } from './primitives.ts'
import { Proof, Signature } from './signatures.ts'

const Prose = z.string().trim().max(20_000)
const settingFields = {
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
  ...settingFields,
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
export const JoinSettingsUpdate = z.strictObject({ ...settingFields, version: z.int().min(0) })

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
const LeavableParticipationSchema = z.object({
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
export type LeavableParticipation = z.infer<typeof LeavableParticipationSchema>

const departureFields = {
  kind: z.enum(['leave', 'move']),
  on: Day,
  newAddress: OptionalText.default(''),
  successorName: OptionalText.default(''),
  successorEmail: OptionalEmail.default(''),
}
export const DepartureDraft = z.strictObject({ ...departureFields, ...Signature.shape })

const params = z.object({ id: Id })
const itemPath = '/api/applications/:id'
const ownDeparturesPath = '/api/portal/departures'
const departurePath = '/api/participations/:id/departure'
const readAccess = { permission: 'participants.read' } as const
const writeAccess = { permission: 'participants.write' } as const
/** In the portal, what is one's own. */
const ownReadAccess = { ...readAccess, portal: true } as const
const ownWriteAccess = { ...writeAccess, portal: true } as const

export const joiningDesk = {
  settings: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/joining',
    access: { permission: 'operations.read' },
    summary: 'Lire la page «\u00a0Rejoindre\u00a0» d’une opération',
    params,
    response: JoinSettings,
  }),
  saveSettings: defineEndpoint({
    method: 'PUT',
    path: '/api/acc-operations/:id/joining',
    access: { permission: 'operations.write' },
    summary: 'Régler la page «\u00a0Rejoindre\u00a0» d’une opération',
    params,
    body: JoinSettingsUpdate,
    response: JoinSettings,
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/applications',
    access: readAccess,
    summary: 'Lister les demandes d’entrée et de départ',
    query: ApplicationQuery,
    response: buildPageSchema(Application),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: itemPath,
    access: readAccess,
    summary: 'Lire une demande d’entrée ou de départ',
    params,
    response: ApplicationDetail,
  }),
  accept: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/accept`,
    access: writeAccess,
    summary: 'Accepter une demande d’entrée ou de départ',
    params,
    body: z.strictObject({ on: Day, version: Version }),
    response: ApplicationDetail,
  }),
  refuse: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/refuse`,
    access: writeAccess,
    summary: 'Refuser une demande d’entrée ou de départ',
    params,
    body: z.strictObject({
      reason: z.string().trim().min(10, 'Dites pourquoi en quelques mots (10 caractères au moins).').max(2000),
      version: Version,
    }),
    response: ApplicationDetail,
  }),
  paper: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/paper`,
    access: ownReadAccess,
    summary: 'Télécharger une demande signée',
    params,
    response: { file: 'application/pdf' },
  }),
  departures: defineEndpoint({
    method: 'GET',
    path: ownDeparturesPath,
    access: { portal: true },
    summary: 'Voir comment quitter son opération',
    response: z.object({
      seats: z.array(LeavableParticipationSchema),
      items: z.array(Application),
      /** What goes on or remains: cents to be paid, mandates in force. */
      facts: z.object({ open: z.int(), mandates: z.int() }),
    }),
  }),
  departureText: defineEndpoint({
    method: 'GET',
    path: departurePath,
    access: ownReadAccess,
    summary: 'Lire le texte d’une demande de départ à signer',
    params,
    query: z.object({ kind: z.enum(['leave', 'move']), on: Day }),
    response: z.object({ text: z.string(), hash: z.string() }),
  }),
  depart: defineEndpoint({
    method: 'POST',
    path: departurePath,
    access: ownWriteAccess,
    summary: 'Demander à quitter son opération',
    params,
    body: DepartureDraft,
    response: Application,
  }),
  stay: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/withdrawal`,
    access: ownWriteAccess,
    summary: 'Retirer sa demande de départ',
    params,
    body: z.strictObject({ version: Version }),
    response: Application,
  }),
}
