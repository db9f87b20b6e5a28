import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ListQuery, page } from './list.ts'
import { Day, Done, Id, Instant, Text } from './primitives.ts'
import { AboutKind, Desk, TicketCategory, TicketPriority, TicketState } from './support-words.ts'

/** An invoice, a point or an operation by its id, or a day of one's own figures. */
export const About = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['invoice', 'point', 'operation']), id: Id }),
  z.strictObject({ kind: z.literal('day'), day: Day }),
])
export type About = z.infer<typeof About>
export const AboutShown = z.object({
  kind: AboutKind,
  /** Null of a day. */
  id: Id.nullable(),
  day: Day.nullable(),
  label: z.string(),
})
export type AboutShown = z.infer<typeof AboutShown>

export const MOST_FILES = 5
export const FILE_BYTES = 10_000_000
export const Body = z.string().trim().min(1, 'Écrivez votre message.').max(10_000)
const fileIds = z.array(Id).max(MOST_FILES, 'Cinq fichiers au plus par message.').default([])

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
  desk: Desk,
  subject: z.string(),
  category: TicketCategory,
  priority: TicketPriority,
  state: TicketState,
  about: AboutShown.nullable(),
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
  body: Body,
  about: About.nullable().default(null),
  fileIds,
})
export const NewMessage = z.strictObject({ body: Body, fileIds })
export const Satisfaction = z.strictObject({
  score: z.int().min(1).max(5),
  word: z.string().trim().max(1000).default(''),
})

const one = z.object({ id: Id })

/** One's own questions: a client's to their organiser, an administrator's to the keeper of the installation. */
export const support = {
  list: endpoint({
    method: 'GET',
    path: '/api/support/tickets',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Lister ses demandes',
    query: ListQuery.extend({ state: TicketState.optional() }),
    response: page(TicketRow),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/support/tickets',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Poser une question au support',
    body: NewTicket,
    response: Ticket,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/support/tickets/:id',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Lire une de ses demandes',
    params: one,
    response: Ticket,
  }),
  reply: endpoint({
    method: 'POST',
    path: '/api/support/tickets/:id/messages',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Compléter une de ses demandes',
    params: one,
    body: NewMessage,
    response: Ticket,
  }),
  solve: endpoint({
    method: 'POST',
    path: '/api/support/tickets/:id/solved',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Dire une de ses demandes résolue',
    params: one,
    response: Ticket,
  }),
  rate: endpoint({
    method: 'POST',
    path: '/api/support/tickets/:id/satisfaction',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Noter la réponse à une de ses demandes',
    params: one,
    body: Satisfaction,
    response: Ticket,
  }),
  attach: endpoint({
    method: 'POST',
    path: '/api/support/files',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Joindre un fichier à une de ses demandes',
    query: z.object({ name: Text }),
    upload: FILE_BYTES,
    response: Attachment,
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/support/files/:id',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Télécharger une pièce jointe d’une de ses demandes',
    params: one,
    response: { file: 'application/octet-stream' },
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/support/choices',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Lister ce sur quoi une demande peut porter',
    response: z.object({ items: z.array(AboutShown) }),
  }),
  detach: endpoint({
    method: 'DELETE',
    path: '/api/support/files/:id',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Retirer un fichier qui n’est pas encore envoyé',
    params: one,
    response: Done,
  }),
}
