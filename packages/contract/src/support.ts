import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Day, Id, Instant, ListQuery, SuccessReply, Text } from './primitives.ts'
import { SupportTeam, TicketCategory, TicketPriority, TicketState, TicketSubjectKind } from './support-labels.ts'

/** An invoice, a point or an operation by its id, or a day of one's own figures. */
export const TicketSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['invoice', 'point', 'operation']), id: Id }),
  z.strictObject({ kind: z.literal('day'), day: Day }),
])
export type TicketSubject = z.infer<typeof TicketSubject>
export const TicketSubjectView = z.object({
  kind: TicketSubjectKind,
  /** Null of a day. */
  id: Id.nullable(),
  day: Day.nullable(),
  label: z.string(),
})
export type TicketSubjectView = z.infer<typeof TicketSubjectView>

export const MAX_ATTACHMENTS = 5
export const MAX_ATTACHMENT_BYTES = 10_000_000
const MessageText = z.string().trim().min(1, 'Écrivez votre message.').max(10_000)
const fileIds = z.array(Id).max(MAX_ATTACHMENTS, 'Cinq fichiers au plus par message.').default([])

export const Attachment = z.object({ id: Id, name: z.string(), mediaType: z.string(), size: z.int() })
export type Attachment = z.infer<typeof Attachment>
export const TicketMessage = z.object({
  id: Id,
  side: z.enum(['asker', 'desk']),
  author: z.string(),
  body: z.string(),
  source: z.enum(['web', 'mail']),
  files: z.array(Attachment),
  createdAt: Instant,
})
export type TicketMessage = z.infer<typeof TicketMessage>

export const TicketRow = z.object({
  id: Id,
  number: z.int(),
  desk: SupportTeam,
  subject: z.string(),
  category: TicketCategory,
  priority: TicketPriority,
  state: TicketState,
  about: TicketSubjectView.nullable(),
  createdAt: Instant,
  lastMessageAt: Instant,
  lastSide: z.enum(['asker', 'desk']),
  score: z.int().nullable(),
  version: z.int(),
})
export type TicketRow = z.infer<typeof TicketRow>

export const Ticket = TicketRow.extend({
  messages: z.array(TicketMessage),
  scoreWord: z.string(),
  /** The ticket that this one was put together with: its messages are there. */
  mergedInto: z.object({ id: Id, number: z.int() }).nullable(),
})
export type Ticket = z.infer<typeof Ticket>

export const NewTicket = z.strictObject({
  subject: Text.max(150),
  category: TicketCategory,
  body: MessageText,
  about: TicketSubject.nullable().default(null),
  fileIds,
})
export const NewSupportMessage = z.strictObject({ body: MessageText, fileIds })
const Satisfaction = z.strictObject({
  score: z.int().min(1).max(5),
  word: z.string().trim().max(1000).default(''),
})

const idParams = z.object({ id: Id })

/** One's own questions: a client's to their organiser, an administrator's to the keeper of the installation. */
export const support = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/support/tickets',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Lister ses demandes',
    query: ListQuery.extend({ state: TicketState.optional() }),
    response: buildPageSchema(TicketRow),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/support/tickets',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Poser une question au support',
    body: NewTicket,
    response: Ticket,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/support/tickets/:id',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Lire une de ses demandes',
    params: idParams,
    response: Ticket,
  }),
  reply: defineEndpoint({
    method: 'POST',
    path: '/api/support/tickets/:id/messages',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Compléter une de ses demandes',
    params: idParams,
    body: NewSupportMessage,
    response: Ticket,
  }),
  solve: defineEndpoint({
    method: 'POST',
    path: '/api/support/tickets/:id/solved',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Dire une de ses demandes résolue',
    params: idParams,
    response: Ticket,
  }),
  rate: defineEndpoint({
    method: 'POST',
    path: '/api/support/tickets/:id/satisfaction',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Noter la réponse à une de ses demandes',
    params: idParams,
    body: Satisfaction,
    response: Ticket,
  }),
  attach: defineEndpoint({
    method: 'POST',
    path: '/api/support/files',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Joindre un fichier à une de ses demandes',
    query: z.object({ name: Text }),
    upload: MAX_ATTACHMENT_BYTES,
    response: Attachment,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/support/files/:id',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Télécharger une pièce jointe d’une de ses demandes',
    params: idParams,
    response: { file: 'application/octet-stream' },
  }),
  choices: defineEndpoint({
    method: 'GET',
    path: '/api/support/choices',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Lister ce sur quoi une demande peut porter',
    response: z.object({ items: z.array(TicketSubjectView) }),
  }),
  detach: defineEndpoint({
    method: 'DELETE',
    path: '/api/support/files/:id',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Retirer un fichier qui n’est pas encore envoyé',
    params: idParams,
    response: SuccessReply,
  }),
}
