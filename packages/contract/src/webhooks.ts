import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { EVENT_NAMES, type EventName, isOpen, type OpenEventName } from './events.ts'
import { ListQuery, page } from './list.ts'
import { Done, hasCredentials, Id, Instant } from './primitives.ts'

/** What a webhook can ask for: the open rows of the table of events. */
export const WEBHOOK_EVENTS = EVENT_NAMES.filter(isOpen)
export const WebhookEvent = z.enum(WEBHOOK_EVENTS as [OpenEventName, ...OpenEventName[]]) // some are open
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const Webhook = z.object({
  id: Id,
  url: z.string(),
  events: z.array(WebhookEvent),
  /** Paused, what happens is kept and sent later; disabled, nothing is. */
  status: z.enum(['active', 'paused', 'disabled']),
  /** Why it was stopped by itself: its server said that it is gone, or failed for five days. */
  stopped: z.enum(['gone', 'failing']).nullable(),
  /** Since when every attempt fails; null where the last one succeeded. */
  failingSince: Instant.nullable(),
  /** Until when messages bear the signature of the former secret too. */
  formerUntil: Instant.nullable(),
  createdAt: Instant,
})
export type Webhook = z.infer<typeof Webhook>
/** The secret is in this answer only. */
const Shown = Webhook.extend({ secret: z.string() })

/** Discarded: it failed, and somebody decided that it need not come. */
export const DeliveryStatus = z.enum(['waiting', 'delivered', 'failed', 'discarded'])
export const WebhookDelivery = z.object({
  id: Id,
  /** A rule of the company may send any event of the table. */
  event: z.enum(EVENT_NAMES as [EventName, ...EventName[]]).or(z.literal('ping')), // there are some
  /** The number of the event among those of the company: it tells the order, which the sending does not keep. */
  sequence: z.int().nullable(),
  status: DeliveryStatus,
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  lastError: z.string(),
  createdAt: Instant,
  deliveredAt: Instant.nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
export const WebhookAttempt = z.object({
  id: Id,
  at: Instant,
  status: z.int().nullable(),
  error: z.string(),
  milliseconds: z.int(),
  /** The first two kilobytes of what was answered. */
  answer: z.string(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
const Secret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
    'Secret attendu\u00a0: «\u00a0whsec_\u00a0» puis 24 à 64 octets en base64.',
  )
/** The address is shown, logged and kept in the journal: a secret has no place in it, and what is sent is signed. */
const url = z
  .url({ protocol: /^https$/, error: 'Adresse attendue en https://.' })
  .max(500)
  .refine(
    (text) => !hasCredentials(text),
    'Une adresse sans nom d’utilisateur ni mot de passe est attendue\u00a0: ce qui est envoyé est signé.',
  )
const events = z.array(WebhookEvent).min(1, 'Choisissez au moins un événement.').max(WEBHOOK_EVENTS.length)
export const NewWebhook = z.strictObject({
  url,
  events,
  /** Made by the server where none is given. */
  secret: Secret.optional(),
})
export const WebhookChange = z.strictObject({ url, events })
export const Replay = z
  .strictObject({
    ids: z.array(Id).max(500).optional(),
    status: DeliveryStatus.optional(),
    event: WebhookEvent.optional(),
    since: Instant.optional(),
  })
  .refine((asked) => Object.values(asked).some(Boolean), 'Dites quels envois rejouer.')
export const DeliveryQuery = ListQuery.extend({ status: DeliveryStatus.optional(), event: WebhookEvent.optional() })
const one = z.object({ id: Id })
const write = { permission: 'webhooks.write' } as const
const read = { permission: 'webhooks.read' } as const

export const webhooks = {
  list: endpoint({
    method: 'GET',
    path: '/api/webhooks',
    access: read,
    summary: 'Lister les webhooks',
    query: ListQuery,
    response: page(Webhook),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/webhooks',
    access: write,
    summary: 'Créer un webhook',
    body: NewWebhook,
    response: Shown,
  }),
  catalogue: endpoint({
    method: 'GET',
    path: '/api/webhooks/events',
    access: read,
    summary: 'Lire le catalogue des événements',
    response: z.object({
      items: z.array(
        z.object({
          id: WebhookEvent,
          label: z.string(),
          schema: z.record(z.string(), z.unknown()),
          sample: z.unknown(),
        }),
      ),
    }),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/webhooks/:id',
    access: write,
    summary: 'Modifier un webhook',
    params: one,
    body: WebhookChange,
    response: Webhook,
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/status',
    access: write,
    summary: 'Changer l’état d’un webhook',
    params: one,
    body: z.strictObject({ status: z.enum(['active', 'paused']) }),
    response: Webhook,
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/secret',
    access: write,
    summary: 'Renouveler le secret d’un webhook',
    params: one,
    /** How long messages bear both signatures. */
    body: z.strictObject({ overlapHours: z.int().min(0).max(720) }),
    response: Shown,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/webhooks/:id',
    access: write,
    summary: 'Supprimer un webhook',
    params: one,
    response: Done,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/test',
    access: write,
    summary: 'Envoyer un événement d’essai',
    params: one,
    response: Done,
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    access: read,
    summary: 'Lister les envois d’un webhook',
    params: one,
    query: DeliveryQuery,
    response: page(WebhookDelivery),
  }),
  delivery: endpoint({
    method: 'GET',
    path: '/api/webhooks/:id/deliveries/:deliveryId',
    access: read,
    summary: 'Lire un envoi et ses tentatives',
    params: one.extend({ deliveryId: Id }),
    response: z.object({ delivery: WebhookDelivery, body: z.string(), tries: z.array(WebhookAttempt) }),
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/replay',
    access: write,
    summary: 'Rejouer des envois',
    params: one,
    body: Replay,
    response: z.object({ count: z.int() }),
  }),
}
