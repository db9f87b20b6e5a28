import { EVENTS } from '@voisol/contract/events'
import { WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { buildMessageSample, buildMessageSchema } from '../../../http/openapi-webhooks.ts'

/** The events that a webhook can subscribe to, with schema and sample, from the event catalogue. */
export const buildWebhookCatalogue = () =>
  WEBHOOK_EVENTS.map((id) => ({
    id,
    label: EVENTS[id].label,
    schema: buildMessageSchema(id),
    sample: buildMessageSample(id),
  }))
