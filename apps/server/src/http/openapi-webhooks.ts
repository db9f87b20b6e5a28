import { EVENTS } from '@voisol/contract/events'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@voisol/contract/webhooks'
import { z } from 'zod'
import { type JsonSchema, toSchema } from './json-schema.ts'

const OCCURRED = '2026-05-19T06:12:31.000Z'
const DELIVERY = 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f'
const FIRST = 1284

/** The whole message of an event: what surrounds it is the same for all. */
export function messageSchema(name: WebhookEvent): JsonSchema {
  const message = z.object({
    id: z.uuid(),
    event: z.literal(name),
    sequence: z.int().nullable(),
    occurredAt: z.iso.datetime(),
    data: EVENTS[name].data,
  })
  return toSchema(message, 'output')
}

export const messageSample = (name: WebhookEvent) => ({
  id: DELIVERY,
  event: name,
  sequence: FIRST + WEBHOOK_EVENTS.indexOf(name),
  occurredAt: OCCURRED,
  data: EVENTS[name].sample,
})

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})
/** Standard Webhooks. */
const HEADERS = [
  header('webhook-id', 'Identifiant de l’envoi, le même à chaque répétition.'),
  header('webhook-timestamp', 'Instant de l’envoi, en secondes depuis 1970.'),
  header(
    'webhook-signature',
    '«\u00a0v1,\u00a0» puis HMAC-SHA256 de id.instant.corps en base64\u00a0; une par secret.',
  ),
]

/** The part of OpenAPI 3.1 that tells what is sent rather than answered. */
export const openApiWebhooks = () =>
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
            content: { 'application/json': { schema: messageSchema(name), example: messageSample(name) } },
          },
          responses: {
            '2XX': { description: 'Reçu.' },
            410: { description: 'Cette adresse n’existe plus\u00a0: le webhook est arrêté.' },
          },
        },
      },
    ]),
  )
