import { z } from 'zod'
import { BulkRun, RunBulkActionInput } from './bulk.ts'
import { Consent } from './consents.ts'
import { defineEndpoint } from './endpoint.ts'
import { ParticipantKind, ParticipantRole, ParticipantState } from './participant-kinds.ts'
import { Participation, PointFields } from './points.ts'
import {
  Address,
  buildPageSchema,
  Day,
  Direction,
  Flag,
  Id,
  IMPACT_PREVIEW_FIELDS,
  Instant,
  ListQuery,
  OptionalEmail,
  OptionalText,
  PostalCode,
  Prm,
  Siren,
  SuccessReply,
  TableFormat,
  Tag,
  Version,
} from './primitives.ts'

const identityFields = {
  kind: ParticipantKind,
  /** The organisation's; of a person it is made of the first and last name. */
  name: OptionalText,
  firstName: OptionalText,
  lastName: OptionalText,
  siren: Siren,
  email: OptionalEmail,
  phone: OptionalText,
  address: Address,
  postalCode: PostalCode,
  city: OptionalText,
  notes: z.string().trim().max(2000),
}

export const Participant = z.object({
  ...identityFields,
  id: Id,
  /** Words of the company's own. */
  tags: z.array(z.string()),
  role: ParticipantRole.nullable(),
  state: ParticipantState,
  operations: z.array(z.object({ id: Id, name: z.string() })),
  points: z.array(
    z.object({
      id: Id,
      prm: z.string(),
      /** The dwelling, or what the point is called. */
      label: z.string(),
      direction: Direction,
      storage: z.boolean(),
      operationId: Id,
    }),
  ),
  portal: z.object({
    status: z.enum(['none', 'invited', 'active', 'disabled']),
    lastSignInAt: Instant.nullable(),
  }),
  /** To pay it back; what may be debited is its mandates' to say. */
  bank: z.object({ ibanEnd: z.string() }),
  /** What somebody should look at: no e-mail, no agreement, a consent that is missing or ends soon. */
  review: z.array(z.string()),
  createdAt: Instant,
  version: z.int(),
})
export type Participant = z.infer<typeof Participant>

export const ParticipantDetail = Participant.extend({
  participations: z.array(Participation),
  consents: z.array(Consent),
})
export type ParticipantDetail = z.infer<typeof ParticipantDetail>

export const ParticipantQuery = ListQuery.extend({
  operationId: Id.optional(),
  role: ParticipantRole.optional(),
  kind: ParticipantKind.optional(),
  state: ParticipantState.optional(),
  portal: z.enum(['none', 'invited', 'active', 'disabled']).optional(),
  /** Only those that somebody should look at. */
  review: Flag.optional(),
  tag: Tag.optional(),
})

export const ParticipantDraft = z.strictObject({
  kind: ParticipantKind,
  ...z.object(identityFields).omit({ kind: true }).partial().shape,
})
export const ParticipantUpdate = z.strictObject({ ...identityFields, version: Version })
export const BankUpdate = z.strictObject({
  /** Empty removes it; absent leaves it: it is never shown again. */
  iban: z.string().max(60).optional(),
  version: Version,
})

/** Somebody with one point, as a line of a file or of the wizard says it. */
export const ParticipantLine = z.strictObject({
  ...ParticipantDraft.partial({ kind: true }).shape,
  prm: Prm,
  direction: Direction.default('consumption'),
  /** A battery comes in with both its directions. */
  storage: z.boolean().optional(),
  ...PointFields.partial().shape,
  startsOn: Day.optional(),
  endsOn: Day.nullable().optional(),
  agreementSignedOn: Day.nullable().optional(),
})
export type ParticipantLine = z.infer<typeof ParticipantLine>

export const ParticipantImportReport = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  lines: z.array(
    z.object({
      line: z.int(),
      name: z.string(),
      prm: z.string(),
      outcome: z.enum(['created', 'updated', 'unchanged', 'refused']),
      message: z.string(),
      /** As it was understood, so that the wizard can take it over. */
      value: ParticipantLine.optional(),
      /** Of a refused line, cell by cell what it says and what is wrong with it: it can be corrected and sent again alone. */
      cells: z.array(z.object({ title: z.string(), text: z.string(), message: z.string() })).optional(),
    }),
  ),
})

const params = z.object({ id: Id })
const basePath = '/api/participants'
const itemPath = '/api/participants/:id'
export const MAX_PARTICIPANT_IMPORT_BYTES = 5_000_000

export const participants = {
  list: defineEndpoint({
    method: 'GET',
    path: basePath,
    access: { permission: 'participants.read' },
    summary: 'Lister les participants',
    query: ParticipantQuery,
    response: buildPageSchema(Participant),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: `${basePath}/export`,
    access: { permission: 'participants.read' },
    summary: 'Exporter les participants',
    query: ParticipantQuery.extend({ format: TableFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  template: defineEndpoint({
    method: 'GET',
    path: `${basePath}/template`,
    access: { permission: 'participants.read' },
    summary: 'Modèle de fichier de participants',
    query: z.object({ format: TableFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  get: defineEndpoint({
    method: 'GET',
    path: itemPath,
    access: { permission: 'participants.read' },
    summary: 'Lire un participant',
    params,
    response: ParticipantDetail,
  }),
  create: defineEndpoint({
    method: 'POST',
    path: basePath,
    access: { permission: 'participants.create' },
    summary: 'Ajouter un participant',
    body: ParticipantDraft,
    response: ParticipantDetail,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: itemPath,
    access: { permission: 'participants.write' },
    summary: 'Modifier un participant',
    params,
    body: ParticipantUpdate,
    response: ParticipantDetail,
  }),
  bank: defineEndpoint({
    method: 'PUT',
    path: `${itemPath}/bank`,
    access: { permission: 'participants.bank' },
    summary: 'Enregistrer l’IBAN d’un participant',
    params,
    body: BankUpdate,
    response: ParticipantDetail,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: itemPath,
    access: { permission: 'participants.write' },
    summary: 'Supprimer un participant sans participation',
    params,
    response: SuccessReply,
  }),
  invite: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/invitation`,
    access: { permission: 'participants.write' },
    summary: 'Inviter un participant au portail',
    params,
    response: ParticipantDetail,
  }),
  /** Those in use, most used first. */
  tags: defineEndpoint({
    method: 'GET',
    path: `${basePath}/tags`,
    access: { permission: 'participants.read' },
    summary: 'Lister les étiquettes des participants',
    response: z.object({ items: z.array(z.object({ tag: z.string(), count: z.int() })) }),
  }),
  bulk: defineEndpoint({
    method: 'POST',
    path: `${basePath}/bulk`,
    access: { permission: 'participants.write' },
    summary: 'Agir sur plusieurs participants à la fois',
    body: RunBulkActionInput,
    response: BulkRun,
  }),
  bulkRun: defineEndpoint({
    method: 'GET',
    path: `${basePath}/bulk/:id`,
    access: { permission: 'participants.write' },
    summary: 'Suivre une action sur plusieurs participants',
    params,
    response: BulkRun,
  }),
  /** Without an operation nothing is stored: the lines are judged as those of one to be created, from `startsOn` on. */
  import: defineEndpoint({
    method: 'POST',
    path: `${basePath}/import`,
    access: { permission: 'participants.create' },
    summary: 'Importer des participants',
    query: z.object({
      name: z.string().min(1).max(200),
      operationId: Id.optional(),
      startsOn: Day.optional(),
      dryRun: Flag,
      ...IMPACT_PREVIEW_FIELDS,
    }),
    upload: MAX_PARTICIPANT_IMPORT_BYTES,
    response: ParticipantImportReport,
  }),
}
