import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { EVENT_NAMES, isOpen, type OpenEventName } from './events.ts'
import { ListQuery, page } from './list.ts'
import { Done, Id, Instant } from './primitives.ts'

/** What a webhook can ask for: the open rows of the table of events. */
export const WEBHOOK_EVENTS = EVENT_NAMES.filter(isOpen)
export const WebhookEvent = z.enum(WEBHOOK_EVENTS as [OpenEventName, ...OpenEventName[]]) // some are open
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const Webhook = z.object({
  id: Id,
  url: z.string(),
  events: z.array(WebhookEvent),
  status: z.enum(['active', 'disabled']),
  createdAt: Instant,
})
export type Webhook = z.infer<typeof Webhook>
export const WebhookDelivery = z.object({
  id: Id,
  event: WebhookEvent.or(z.literal('ping')),
  /** The number of the event among those of the company: it tells the order, which the sending does not keep. */
  sequence: z.int().nullable(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  lastError: z.string(),
  createdAt: Instant,
  deliveredAt: Instant.nullable(),
})
const one = z.object({ id: Id })

export const webhooks = {
  list: endpoint({
    method: 'GET',
    path: '/api/webhooks',
    access: { permission: 'webhooks.read' },
    summary: 'Lister les webhooks',
    query: ListQuery,
    response: page(Webhook),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/webhooks',
    access: { permission: 'webhooks.write' },
    summary: 'Créer un webhook',
    body: z.strictObject({
      url: z.url({ protocol: /^https$/, error: 'Adresse attendue en https://.' }).max(500),
      events: z.array(WebhookEvent).min(1).max(WEBHOOK_EVENTS.length),
      /** Made by the server where none is given; it is shown in this answer only. */
      secret: z.string().min(16).max(200).optional(),
    }),
    response: Webhook.extend({ secret: z.string() }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/webhooks/:id',
    access: { permission: 'webhooks.write' },
    summary: 'Supprimer un webhook',
    params: one,
    response: Done,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/test',
    access: { permission: 'webhooks.write' },
    summary: 'Envoyer un événement d’essai',
    params: one,
    response: Done,
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    access: { permission: 'webhooks.read' },
    summary: 'Lister les envois d’un webhook',
    params: one,
    query: ListQuery,
    response: page(WebhookDelivery),
  }),
}
