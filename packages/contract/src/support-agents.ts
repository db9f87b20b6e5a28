import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, CompanyId, Id, Instant, ListQuery, SuccessReply, Text, Version } from './primitives.ts'
import { Attachment, MAX_ATTACHMENT_BYTES, NewSupportMessage, Ticket, TicketMessage, TicketRow } from './support.ts'
import { listUnknownFields, SupportTeam, TicketCategory, TicketPriority, TicketState } from './support-labels.ts'

const Person = z.object({ id: Id, name: z.string() })

/** How much of what was promised is left; working minutes, null where the clock does not run. */
const targetFields = {
  firstDueAt: Instant.nullable(),
  firstAnswerAt: Instant.nullable(),
  /** Null while the asker is waited for, and once it is solved. */
  solveDueAt: Instant.nullable(),
  solvedAt: Instant.nullable(),
  late: z.boolean(),
}

export const QueueRow = TicketRow.extend({
  asker: z.object({ name: z.string(), company: z.string() }),
  assignee: Person.nullable(),
  /** Messages by mail whose sender is not the asker. */
  held: z.int(),
  ...targetFields,
})
export type QueueRow = z.infer<typeof QueueRow>

export const SupportMessage = TicketMessage.extend({
  /** Who it says it comes from, where that is not the asker: only the desk sees it until it is let in. */
  heldFrom: z.string().nullable(),
  /** The number of the ticket it was written in, where that was put together with this one. */
  fromTicket: z.int().nullable(),
})
export type SupportMessage = z.infer<typeof SupportMessage>
export const TicketNote = z.object({ id: Id, author: z.string(), body: z.string(), createdAt: Instant })
export type TicketNote = z.infer<typeof TicketNote>

/** Who asks, in a few lines: what an answer needs to know. */
export const RequesterContext = z.object({
  name: z.string(),
  email: z.string(),
  company: z.string(),
  participants: z.array(z.object({ id: Id, name: z.string(), operations: z.array(z.string()) })),
  invoices: z.array(z.object({ id: Id, number: z.string(), issuedOn: z.string(), totalCents: z.int() })),
  tickets: z.array(z.object({ id: Id, number: z.int(), subject: z.string(), state: TicketState })),
})
export type RequesterContext = z.infer<typeof RequesterContext>

export const SupportTicket = QueueRow.extend({
  messages: z.array(SupportMessage),
  notes: z.array(TicketNote),
  scoreWord: z.string(),
  mergedInto: Ticket.shape.mergedInto,
  context: RequesterContext,
  /** What the fields of a canned reply are filled with. */
  fields: z.record(z.string(), z.string()),
})
export type SupportTicket = z.infer<typeof SupportTicket>

const QueueQuery = ListQuery.extend({
  desk: SupportTeam.optional(),
  state: TicketState.optional(),
  /** What is neither solved nor closed, unless it says otherwise. */
  view: z.enum(['active', 'mine', 'unassigned', 'late', 'all']).optional(),
  priority: TicketPriority.optional(),
  category: TicketCategory.optional(),
  /** Of the keeper's desk: one of the organisations that wrote. */
  companyId: CompanyId.optional(),
})

export const SupportReplyInput = NewSupportMessage.extend({
  /** How the ticket stands once it is answered. */
  leaves: z.enum(['open', 'waiting', 'solved']).default('waiting'),
})
export const TicketUpdate = z.strictObject({
  version: Version,
  priority: TicketPriority.optional(),
  category: TicketCategory.optional(),
  assigneeId: Id.nullable().optional(),
  state: z.enum(['open', 'waiting', 'solved', 'closed']).optional(),
})

const hasNoUnknownFields = (text: string) => listUnknownFields(text).length === 0
export const CannedReply = z.object({ id: Id, desk: SupportTeam, name: z.string(), body: z.string(), version: z.int() })
export type CannedReply = z.infer<typeof CannedReply>
export const NewCannedReply = z.strictObject({
  desk: SupportTeam.default('organiser'),
  name: Text.max(100),
  body: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .refine(hasNoUnknownFields, 'Un champ entre accolades est inconnu\u00a0: prenez l’un de ceux de la liste.'),
})

const Clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Une heure est attendue, par exemple 09:00.')
const Minutes = z.int().min(15, 'Un quart d’heure au moins.').max(60_000)
const ResponseTargets = z.strictObject({ first: Minutes, solve: Minutes })
export const SupportHours = z
  .strictObject({
    /** 1 is Monday. */
    days: z.array(z.int().min(1).max(7)).min(1, 'Choisissez au moins un jour.').max(7),
    from: Clock,
    to: Clock,
    alsaceMoselle: z.boolean(),
    /** Working minutes to the first answer, and until it is solved. */
    promises: z.strictObject({
      low: ResponseTargets,
      normal: ResponseTargets,
      high: ResponseTargets,
      urgent: ResponseTargets,
    }),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'La fin vient après le début.' })
export type SupportHours = z.infer<typeof SupportHours>
export const DEFAULT_HOURS: SupportHours = {
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '18:00',
  alsaceMoselle: false,
  promises: {
    low: { first: 1080, solve: 5400 },
    normal: { first: 540, solve: 2700 },
    high: { first: 240, solve: 1080 },
    urgent: { first: 60, solve: 480 },
  },
}

const Share = z.object({ kept: z.int(), of: z.int() })
export const SupportMonthFigures = z.object({
  /** 2026-03 */
  month: z.string(),
  opened: z.int(),
  solved: z.int(),
  /** Working minutes, the middle one of those of the month; null where there was none. */
  firstAnswer: z.int().nullable(),
  solving: z.int().nullable(),
  promise: Share,
  score: z.object({ sum: z.int(), of: z.int() }),
})
export type SupportMonthFigures = z.infer<typeof SupportMonthFigures>

const idParams = z.object({ id: Id })
const readAccess = { permission: 'support.read' } as const
const writeAccess = { permission: 'support.write' } as const

/** The desk that one works at: the organiser's for their participants, and for the keeper of the installation that of the organisers. */
export const supportDesk = {
  queue: defineEndpoint({
    method: 'GET',
    path: '/api/support/desk/tickets',
    access: readAccess,
    reaches: 'installation',
    summary: 'Lister les demandes à traiter',
    query: QueueQuery,
    response: buildPageSchema(QueueRow),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/support/desk/tickets/:id',
    access: readAccess,
    summary: 'Ouvrir une demande à traiter',
    params: idParams,
    response: SupportTicket,
  }),
  answer: defineEndpoint({
    method: 'POST',
    path: '/api/support/desk/tickets/:id/messages',
    access: writeAccess,
    summary: 'Répondre à une demande',
    params: idParams,
    body: SupportReplyInput,
    response: SupportTicket,
  }),
  note: defineEndpoint({
    method: 'POST',
    path: '/api/support/desk/tickets/:id/notes',
    access: writeAccess,
    summary: 'Noter en interne sur une demande',
    params: idParams,
    body: z.strictObject({ body: NewSupportMessage.shape.body }),
    response: SupportTicket,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/support/desk/tickets/:id',
    access: writeAccess,
    summary: 'Suivre une demande',
    params: idParams,
    body: TicketUpdate,
    response: SupportTicket,
  }),
  merge: defineEndpoint({
    method: 'POST',
    path: '/api/support/desk/tickets/:id/merge',
    access: writeAccess,
    summary: 'Réunir deux demandes',
    params: idParams,
    body: z.strictObject({ into: Id }),
    response: SupportTicket,
  }),
  release: defineEndpoint({
    method: 'POST',
    path: '/api/support/desk/messages/:id',
    access: writeAccess,
    summary: 'Décider d’un message d’un autre expéditeur',
    params: idParams,
    body: z.strictObject({ decision: z.enum(['accept', 'drop']) }),
    response: SupportTicket,
  }),
  attach: defineEndpoint({
    method: 'POST',
    path: '/api/support/desk/tickets/:id/files',
    access: writeAccess,
    summary: 'Joindre un fichier à une réponse',
    params: idParams,
    query: z.object({ name: Text }),
    upload: MAX_ATTACHMENT_BYTES,
    response: Attachment,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/support/desk/files/:id',
    access: readAccess,
    summary: 'Télécharger une pièce jointe d’une demande',
    params: idParams,
    response: { file: 'application/octet-stream' },
  }),
  people: defineEndpoint({
    method: 'GET',
    path: '/api/support/desk/people',
    access: readAccess,
    summary: 'Lister ceux qui peuvent traiter les demandes',
    response: z.object({ items: z.array(Person) }),
  }),
  canned: defineEndpoint({
    method: 'GET',
    path: '/api/support/desk/replies',
    access: readAccess,
    summary: 'Lister les réponses types',
    query: z.object({ desk: SupportTeam.optional() }),
    response: z.object({ items: z.array(CannedReply) }),
  }),
  addCanned: defineEndpoint({
    method: 'POST',
    path: '/api/support/desk/replies',
    access: writeAccess,
    summary: 'Ajouter une réponse type',
    body: NewCannedReply,
    response: CannedReply,
  }),
  updateCanned: defineEndpoint({
    method: 'PUT',
    path: '/api/support/desk/replies/:id',
    access: writeAccess,
    summary: 'Modifier une réponse type',
    params: idParams,
    body: NewCannedReply.extend({ version: Version }),
    response: CannedReply,
  }),
  removeCanned: defineEndpoint({
    method: 'DELETE',
    path: '/api/support/desk/replies/:id',
    access: writeAccess,
    summary: 'Supprimer une réponse type',
    params: idParams,
    response: SuccessReply,
  }),
  hours: defineEndpoint({
    method: 'GET',
    path: '/api/support/desk/hours',
    access: readAccess,
    summary: 'Lire les horaires et les délais du support',
    query: z.object({ desk: SupportTeam.default('organiser') }),
    response: SupportHours.safeExtend({ version: z.int() }),
  }),
  setHours: defineEndpoint({
    method: 'PUT',
    path: '/api/support/desk/hours',
    access: writeAccess,
    summary: 'Régler les horaires et les délais du support',
    body: SupportHours.safeExtend({ desk: SupportTeam.default('organiser'), version: z.int().min(0) }),
    response: SupportHours.safeExtend({ version: z.int() }),
  }),
  organisations: defineEndpoint({
    method: 'GET',
    path: '/api/support/desk/organisations',
    access: { permission: 'support.keep' },
    summary: 'Lister les organisations qui ont écrit au support',
    response: z.object({ items: z.array(z.object({ id: z.int(), name: z.string(), open: z.int() })) }),
  }),
  figures: defineEndpoint({
    method: 'GET',
    path: '/api/support/desk/figures',
    access: readAccess,
    summary: 'Mesurer le support mois par mois',
    query: z.object({
      desk: SupportTeam.default('organiser'),
      months: z.coerce.number().int().min(1).max(24).default(6),
    }),
    response: z.object({ items: z.array(SupportMonthFigures), open: z.int(), late: z.int(), unassigned: z.int() }),
  }),
}
