import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ListQuery, page } from './list.ts'
import { Done, Id, Instant } from './primitives.ts'

export const WEBHOOK_EVENTS = [
  'operation.created',
  'operation.status-changed',
  'participant.created',
  'curves.imported',
  'allocation.completed',
] as const
export const WebhookEvent = z.enum(WEBHOOK_EVENTS)
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
