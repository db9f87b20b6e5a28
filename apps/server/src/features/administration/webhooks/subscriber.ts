import { WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { and, arrayContains, eq } from 'drizzle-orm'
import { subscriber } from '../../../core/subscriber.ts'
import { webhooks } from '../../../db/schema/index.ts'
import { addDelivery } from './deliveries.ts'

/** Makes a delivery for every webhook that asked for it. They are sent in no order: the number tells it. */
export const webhookSubscriber = subscriber({
  name: 'webhooks',
  on: WEBHOOK_EVENTS,
  async handle(tx, _, { companyId, name: event, seq: sequence, at: occurredAt, data }) {
    const asked = arrayContains(webhooks.events, [event])
    const listening = await tx
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(and(eq(webhooks.companyId, companyId), eq(webhooks.status, 'active'), asked))
    for (const { id } of listening) await addDelivery(tx, companyId, id, { event, sequence, occurredAt, data })
  },
})
