import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { EVENT_NAMES, type EventName, isOpenEvent, type OpenEventName } from './events.ts'
import { buildPageSchema, hasCredentials, Id, Instant, ListQuery, SuccessReply } from './primitives.ts'

/** What a webhook can ask for: the open rows of the table of events. */
export const WEBHOOK_EVENTS = EVENT_NAMES.filter(isOpenEvent)
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
const WebhookWithSecret = Webhook.extend({ secret: z.string() })

/** Discarded: it failed, and somebody decided that it need not come. */
const DeliveryStatus = z.enum(['waiting', 'delivered', 'failed', 'discarded'])
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
const WebhookAttempt = z.object({
  id: Id,
  at: Instant,
  status: z.int().nullable(),
  error: z.string(),
  milliseconds: z.int(),
  /** The first two kilobytes of what was answered. */
  answer: z.string(),
})

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
const Secret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
    'Secret attendu\u00a0: «\u00a0whsec_\u00a0» puis 24 à 64 octets en base64.',
  )
/** The address is shown, logged and kept in the journal: a secret has no place in it, and what is sent is signed. */
const webhookUrl = z
  .url({ protocol: /^https$/, error: 'Adresse attendue en https://.' })
  .max(500)
  .refine(
    (text) => !hasCredentials(text),
    'Une adresse sans nom d’utilisateur ni mot de passe est attendue\u00a0: ce qui est envoyé est signé.',
  )
const webhookEvents = z.array(WebhookEvent).min(1, 'Choisissez au moins un événement.').max(WEBHOOK_EVENTS.length)
export const NewWebhook = z.strictObject({
  url: webhookUrl,
  events: webhookEvents,
  /** Made by the server where none is given. */
  secret: Secret.optional(),
})
export const WebhookChange = z.strictObject({ url: webhookUrl, events: webhookEvents })
export const ReplayInput = z
  .strictObject({
    ids: z.array(Id).max(500).optional(),
    status: DeliveryStatus.optional(),
    event: WebhookEvent.optional(),
    since: Instant.optional(),
  })
  .refine((asked) => Object.values(asked).some(Boolean), 'Dites quels envois rejouer.')
export const DeliveryQuery = ListQuery.extend({ status: DeliveryStatus.optional(), event: WebhookEvent.optional() })
const idParams = z.object({ id: Id })
const writeAccess = { permission: 'webhooks.write' } as const
const readAccess = { permission: 'webhooks.read' } as const

export const webhooks = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/webhooks',
    access: readAccess,
    summary: 'Lister les webhooks',
    query: ListQuery,
    response: buildPageSchema(Webhook),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks',
    access: writeAccess,
    summary: 'Créer un webhook',
    body: NewWebhook,
    response: WebhookWithSecret,
  }),
  catalogue: defineEndpoint({
    method: 'GET',
    path: '/api/webhooks/events',
    access: readAccess,
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
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/webhooks/:id',
    access: writeAccess,
    summary: 'Modifier un webhook',
    params: idParams,
    body: WebhookChange,
    response: Webhook,
  }),
  move: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks/:id/status',
    access: writeAccess,
    summary: 'Changer l’état d’un webhook',
    params: idParams,
    body: z.strictObject({ status: z.enum(['active', 'paused']) }),
    response: Webhook,
  }),
  rotate: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks/:id/secret',
    access: writeAccess,
    summary: 'Renouveler le secret d’un webhook',
    params: idParams,
    /** How long messages bear both signatures. */
    body: z.strictObject({ overlapHours: z.int().min(0).max(720) }),
    response: WebhookWithSecret,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/webhooks/:id',
    access: writeAccess,
    summary: 'Supprimer un webhook',
    params: idParams,
    response: SuccessReply,
  }),
  test: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks/:id/test',
    access: writeAccess,
    summary: 'Envoyer un événement d’essai',
    params: idParams,
    response: SuccessReply,
  }),
  deliveries: defineEndpoint({
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    access: readAccess,
    summary: 'Lister les envois d’un webhook',
    params: idParams,
    query: DeliveryQuery,
    response: buildPageSchema(WebhookDelivery),
  }),
  delivery: defineEndpoint({
    method: 'GET',
    path: '/api/webhooks/:id/deliveries/:deliveryId',
    access: readAccess,
    summary: 'Lire un envoi et ses tentatives',
    params: idParams.extend({ deliveryId: Id }),
    response: z.object({ delivery: WebhookDelivery, body: z.string(), tries: z.array(WebhookAttempt) }),
  }),
  replay: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks/:id/replay',
    access: writeAccess,
    summary: 'Rejouer des envois',
    params: idParams,
    body: ReplayInput,
    response: z.object({ count: z.int() }),
  }),
}
