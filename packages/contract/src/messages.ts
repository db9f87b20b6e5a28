import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Id, Instant, ListQuery, SuccessReply, Tag, Text, Version } from './primitives.ts'
import { MailSample } from './white-label.ts'

export const MessageAudience = z.enum(['operation', 'group', 'person'])
export type MessageAudience = z.infer<typeof MessageAudience>
export const MessageState = z.enum(['scheduled', 'sent', 'cancelled', 'failed'])
export type MessageState = z.infer<typeof MessageState>
/** How its mail fares: `delivered` to the server of the address; `portal` where it is read in the portal alone, `none` where nothing reaches them. */
export const RecipientState = z.enum(['queued', 'delivered', 'failed', 'portal', 'none'])
export type RecipientState = z.infer<typeof RecipientState>

/** To whom: everybody in an operation today, those who bear a tag, or one person. */
export const MessageTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('operation'), operationId: Id }),
  z.strictObject({ kind: z.literal('group'), tag: Tag }),
  z.strictObject({ kind: z.literal('person'), participantId: Id }),
])
export type MessageTarget = z.infer<typeof MessageTarget>

/** What a message may name, filled for each reader. */
export const MESSAGE_FIELDS = {
  prenom: 'Le prénom du participant',
  nom: 'Son nom',
  operation: 'Son opération',
  organisation: 'Le nom de votre organisation',
  agent: 'Votre nom',
} as const

const FIELD_PATTERN = /\{\{\s*([^{}]*?)\s*\}\}/g
const hasOnlyKnownFields = (text: string) =>
  [...text.matchAll(FIELD_PATTERN)].every(([, name = '']) => Object.hasOwn(MESSAGE_FIELDS, name))
const UNKNOWN_FIELD_MESSAGE = `Champs possibles\u00a0: ${Object.keys(MESSAGE_FIELDS)
  .map((name) => `{{${name}}}`)
  .join(', ')}.`

const Subject = Text.max(150).refine(hasOnlyKnownFields, UNKNOWN_FIELD_MESSAGE)
const MessageBody = z
  .string()
  .trim()
  .min(1, 'Écrivez votre message.')
  .max(10_000)
  .refine(hasOnlyKnownFields, UNKNOWN_FIELD_MESSAGE)

export const MessageDraft = z.strictObject({ subject: Subject, body: MessageBody, to: MessageTarget })
export const NewMessage = MessageDraft.extend({
  /** Null: at once. */
  sendAt: Instant.nullable(),
})

const recipientCounts = z.object({
  recipients: z.int(),
  queued: z.int(),
  delivered: z.int(),
  failed: z.int(),
  portal: z.int(),
  none: z.int(),
  opened: z.int(),
  answered: z.int(),
})
export const MessageRow = z.object({
  id: Id,
  subject: z.string(),
  audience: MessageAudience,
  /** The operation, the tag or the person. */
  target: z.string(),
  state: MessageState,
  fault: z.string(),
  author: z.string(),
  sendAt: Instant,
  sentAt: Instant.nullable(),
  counts: recipientCounts,
  version: z.int(),
})
export type MessageRow = z.infer<typeof MessageRow>

export const MessageRecipient = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  state: RecipientState,
  /** When it was shown to them in the portal; mails are not watched. */
  openedAt: Instant.nullable(),
  remindedAt: Instant.nullable(),
  ticketId: Id.nullable(),
})
export type MessageRecipient = z.infer<typeof MessageRecipient>

export const MessageTemplate = z.object({
  id: Id,
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  version: z.int(),
})
export type MessageTemplate = z.infer<typeof MessageTemplate>

/** A message in the portal of whoever it was written to. */
export const OwnMessage = z.object({
  id: Id,
  subject: z.string(),
  body: z.string(),
  author: z.string(),
  sentAt: Instant,
  openedAt: Instant.nullable(),
  ticketId: Id.nullable(),
})
export type OwnMessage = z.infer<typeof OwnMessage>

const params = z.object({ id: Id })
const basePath = '/api/messages'

export const messages = {
  list: defineEndpoint({
    method: 'GET',
    path: basePath,
    access: { permission: 'messages.read' },
    summary: 'Lister les messages aux participants',
    query: ListQuery.extend({ state: MessageState.optional() }),
    response: buildPageSchema(MessageRow),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: `${basePath}/:id`,
    access: { permission: 'messages.read' },
    summary: 'Lire un message et ses destinataires',
    params,
    response: MessageRow.extend({ body: z.string(), recipients: z.array(MessageRecipient) }),
  }),
  preview: defineEndpoint({
    method: 'POST',
    path: `${basePath}/preview`,
    access: { permission: 'messages.write' },
    summary: 'Voir un message avant de l’envoyer',
    body: MessageDraft,
    audit: 'none',
    /** As the first of them will read it; `none`: who has neither an address nor an account. */
    response: z.object({
      recipients: z.int(),
      none: z.array(z.string()),
      name: z.string(),
      sample: MailSample,
    }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: basePath,
    access: { permission: 'messages.write' },
    summary: 'Écrire aux participants',
    body: NewMessage,
    response: MessageRow,
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: `${basePath}/:id/cancel`,
    access: { permission: 'messages.write' },
    summary: 'Annuler un message programmé',
    params,
    body: z.strictObject({ version: Version }),
    response: MessageRow,
  }),
  remind: defineEndpoint({
    method: 'POST',
    path: `${basePath}/:id/reminder`,
    access: { permission: 'messages.write' },
    summary: 'Relancer ceux qui n’ont pas ouvert un message',
    params,
    response: z.object({ sent: z.int() }),
  }),
  templates: defineEndpoint({
    method: 'GET',
    path: '/api/message-templates',
    access: { permission: 'messages.read' },
    summary: 'Lister les modèles de message',
    response: z.object({ items: z.array(MessageTemplate) }),
  }),
  saveTemplate: defineEndpoint({
    method: 'POST',
    path: '/api/message-templates',
    access: { permission: 'messages.write' },
    summary: 'Garder un modèle de message',
    body: z.strictObject({ name: Text.max(80), subject: Subject, body: MessageBody }),
    response: MessageTemplate,
  }),
  removeTemplate: defineEndpoint({
    method: 'DELETE',
    path: '/api/message-templates/:id',
    access: { permission: 'messages.write' },
    summary: 'Supprimer un modèle de message',
    params,
    response: SuccessReply,
  }),
  mine: defineEndpoint({
    method: 'GET',
    path: '/api/own/messages',
    access: { portal: true },
    summary: 'Lister les messages de son organisateur',
    query: ListQuery,
    response: buildPageSchema(OwnMessage).extend({ unread: z.int() }),
  }),
  open: defineEndpoint({
    method: 'POST',
    path: '/api/own/messages/:id/opened',
    access: { permission: 'messages.write', portal: true },
    summary: 'Ouvrir un message de son organisateur',
    params,
    response: OwnMessage,
  }),
  answer: defineEndpoint({
    method: 'POST',
    path: '/api/own/messages/:id/answer',
    access: { permission: 'messages.write', portal: true },
    summary: 'Répondre à un message de son organisateur',
    params,
    body: z.strictObject({ body: z.string().trim().min(1, 'Écrivez votre réponse.').max(10_000) }),
    response: z.object({ ticketId: Id }),
  }),
}
