import { EVENTS } from '@voisol/contract/events'
import { WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { buildMessageSample, buildMessageSchema } from '../../../http/openapi-webhooks.ts'

/** What can be asked for: its name, its schema and a sample, drawn from the table of events. */
export const buildWebhookCatalogue = () =>
  WEBHOOK_EVENTS.map((id) => ({
    id,
    label: EVENTS[id].label,
    schema: buildMessageSchema(id),
    sample: buildMessageSample(id),
  }))
