import { z } from 'zod'
import { Phone } from './bookings.ts'
import { defineEndpoint } from './endpoint.ts'
import {
  buildPageSchema,
  Email,
  Id,
  Instant,
  ListQuery,
  OptionalText,
  TableFormat,
  Text,
  Version,
} from './primitives.ts'

/** What visitors of the site ask for. */
export const RequestKind = z.enum(['contact', 'newsletter', 'white-paper', 'webinar'])
export type RequestKind = z.infer<typeof RequestKind>
export const RequestStatus = z.enum(['new', 'in-progress', 'answered', 'closed'])
export type RequestStatus = z.infer<typeof RequestStatus>
export const CONTACT_SUBJECTS = ['demo', 'tarifs', 'projet', 'support', 'presse', 'partenariat', 'autre'] as const
const ContactSubject = z.enum(CONTACT_SUBJECTS, 'Choisissez un sujet dans la liste.')

/** A person leaves it empty; a script that fills every field gives itself away. */
const Honeypot = z.string().max(200).default('')
const Person = z.strictObject({
  firstName: Text,
  lastName: Text,
  email: Email,
  company: OptionalText.default(''),
  website: Honeypot,
})

export const ContactRequest = Person.extend({
  phone: Phone.default(''),
  subject: ContactSubject,
  message: z.string().trim().min(10, 'Quelques mots de plus\u00a0: dix caractères au moins.').max(5000),
})
export type ContactRequest = z.infer<typeof ContactRequest>
const NewsletterRequest = z.strictObject({ email: Email, website: Honeypot })
export const WhitePaperRequest = Person.extend({ newsletter: z.boolean().default(false) })
export type WhitePaperRequest = z.infer<typeof WhitePaperRequest>
export const WebinarRequest = Person

const MessageReply = z.object({ success: z.literal(true), message: z.string() })
const slugParams = z.object({ slug: z.string().min(1).max(120) })

export const SiteRequest = z.object({
  id: Id,
  kind: RequestKind,
  status: RequestStatus,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  company: z.string(),
  /** Of a contact the subject, of a white paper or webinar its title. */
  subject: z.string(),
  message: z.string(),
  note: z.string(),
  handledBy: z.string(),
  /** Of a subscription: whether the address was confirmed from the mail sent to it, or left since. */
  subscription: z.enum(['none', 'waiting', 'confirmed', 'left']),
  createdAt: Instant,
  version: z.int(),
})
export type SiteRequest = z.infer<typeof SiteRequest>

const Filters = z.object({ kind: RequestKind.optional(), status: RequestStatus.optional() })
const idParams = z.object({ id: Id })

export const requests = {
  contact: defineEndpoint({
    method: 'POST',
    path: '/api/contact',
    access: 'public',
    summary: 'Écrire à l’équipe',
    body: ContactRequest,
    response: MessageReply,
  }),
  newsletter: defineEndpoint({
    method: 'POST',
    path: '/api/newsletter',
    access: 'public',
    summary: 'S’abonner à la lettre',
    body: NewsletterRequest,
    response: MessageReply,
  }),
  subscription: defineEndpoint({
    method: 'POST',
    path: '/api/newsletter/subscription',
    access: 'public',
    summary: 'Confirmer ou quitter l’abonnement',
    /** The key is the one of the link that was mailed. */
    body: z.strictObject({ key: z.string().min(20).max(400), choice: z.enum(['confirm', 'leave']) }),
    response: MessageReply,
  }),
  whitePaper: defineEndpoint({
    method: 'POST',
    path: '/api/white-papers/:slug/request',
    access: 'public',
    summary: 'Demander un livre blanc',
    params: slugParams,
    body: WhitePaperRequest,
    response: MessageReply.extend({ url: z.string() }),
  }),
  whitePaperFile: defineEndpoint({
    method: 'GET',
    path: '/api/white-papers/:slug/file',
    access: 'public',
    summary: 'Télécharger un livre blanc',
    params: slugParams,
    query: z.object({ key: z.string().max(400).default('') }),
    response: { file: 'application/pdf' },
  }),
  webinar: defineEndpoint({
    method: 'POST',
    path: '/api/webinars/:slug/register',
    access: 'public',
    summary: 'S’inscrire à un webinaire',
    params: slugParams,
    body: WebinarRequest,
    response: MessageReply,
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/requests',
    access: { permission: 'requests.read' },
    summary: 'Lister les demandes',
    query: ListQuery.extend(Filters.shape),
    response: buildPageSchema(SiteRequest),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/requests/export',
    access: { permission: 'requests.read' },
    summary: 'Exporter les demandes',
    query: ListQuery.extend({ ...Filters.shape, format: TableFormat }),
    response: { file: 'text/csv' },
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/requests/:id',
    access: { permission: 'requests.write' },
    summary: 'Suivre une demande',
    params: idParams,
    body: z.strictObject({
      version: Version,
      status: RequestStatus.optional(),
      note: z.string().trim().max(5000).optional(),
    }),
    response: SiteRequest,
  }),
  reply: defineEndpoint({
    method: 'POST',
    path: '/api/requests/:id/reply',
    access: { permission: 'requests.write' },
    summary: 'Répondre par e-mail à une demande',
    params: idParams,
    body: z.strictObject({ version: Version, message: z.string().trim().min(1).max(10_000) }),
    response: SiteRequest,
  }),
}
