import { EVENTS } from '@voisol/contract/events'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@voisol/contract/webhooks'
import { z } from 'zod'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'

const OCCURRED = '2026-05-19T06:12:31.000Z'
const DELIVERY = 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f'
const FIRST_SEQUENCE = 1284

/** The whole message of an event: its envelope is the same for all. */
export function buildMessageSchema(name: WebhookEvent): JsonSchema {
  const message = z.object({
    id: z.uuid(),
    event: z.literal(name),
    sequence: z.int().nullable(),
    occurredAt: z.iso.datetime(),
    data: EVENTS[name].data,
  })
  return toJsonSchema(message, 'output')
}

export const buildMessageSample = (name: WebhookEvent) => ({
  id: DELIVERY,
  event: name,
  sequence: FIRST_SEQUENCE + WEBHOOK_EVENTS.indexOf(name),
  occurredAt: OCCURRED,
  data: EVENTS[name].sample,
})

const buildHeaderParameter = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})
/** Headers of Standard Webhooks. */
const HEADERS = [
  buildHeaderParameter('webhook-id', 'Identifiant de l’envoi, le même à chaque répétition.'),
  buildHeaderParameter('webhook-timestamp', 'Instant de l’envoi, en secondes depuis 1970.'),
  buildHeaderParameter(
    'webhook-signature',
    '«\u00a0v1,\u00a0» puis HMAC-SHA256 de id.instant.corps en base64\u00a0; une par secret.',
  ),
]

/** The `webhooks` part of OpenAPI 3.1, which describes what is sent. */
export const buildOpenApiWebhooks = () =>
  Object.fromEntries(
    WEBHOOK_EVENTS.map((name) => [
      name,
      {
        post: {
          operationId: `webhook.${name}`,
          tags: ['Webhooks'],
          summary: EVENTS[name].label,
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: buildMessageSchema(name), example: buildMessageSample(name) } },
          },
          responses: {
            '2XX': { description: 'Reçu.' },
            410: { description: 'Cette adresse n’existe plus\u00a0: le webhook est arrêté.' },
          },
        },
      },
    ]),
  )
