import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { NotificationCategory } from './notifications.ts'
import { MailSample } from './white-label.ts'

export const MailKind = z.enum([
  'invitation',
  'welcome',
  'consent-request',
  'consent-ending',
  'joining-link',
  'joining-signed',
  'joining-accepted',
  'joining-refused',
  'departure-accepted',
  'departure-refused',
  'successor',
  'reset',
  'verification',
  'invoice',
  'reminder',
  'debit',
  'report',
  ...NotificationCategory.options.map((category) => `notification-${category}` as const),
])
export type MailKind = z.infer<typeof MailKind>

/** A message that the product sends in a company's name: to whom, when, and whether one click ends it. */
export const MailRow = z.object({
  kind: MailKind,
  title: z.string(),
  to: z.string(),
  when: z.string(),
  unsubscribe: z.boolean(),
})
export type MailRow = z.infer<typeof MailRow>

export const mails = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/mails',
    access: { permission: 'companies.read' },
    summary: 'Lister les messages que le produit envoie',
    response: z.object({ items: z.array(MailRow) }),
  }),
  sample: defineEndpoint({
    method: 'GET',
    path: '/api/mails/sample',
    access: { permission: 'companies.write' },
    summary: 'Voir un message tel qu’il part',
    query: z.object({ kind: MailKind }),
    response: MailSample,
  }),
}
