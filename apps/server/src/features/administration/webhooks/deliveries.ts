import type { WebhookEvent } from '@voisol/contract/webhooks'
import type { Db } from '../../../db/client.ts'
import { webhookDeliveries } from '../../../db/schema/index.ts'
import { enqueue } from '../../../jobs/queue.ts'

type Message = {
  event: WebhookEvent | 'ping'
  /** The number of the event among those of the company; a trial has none. */
  sequence: number | null
  occurredAt: Date
  data: object
}

/** What is sent, and sent again: a repeat bears the same id and the same number. */
export async function addDelivery(tx: Db, companyId: number, webhookId: string, message: Message): Promise<void> {
  const { event } = message
  const payload = { ...message, occurredAt: message.occurredAt.toISOString() }
  const [row] = await tx
    .insert(webhookDeliveries)
    .values({ companyId, webhookId, event, payload })
    .returning({ id: webhookDeliveries.id })
  if (row) await enqueue(tx, 'webhooks.deliver', { companyId, deliveryId: row.id })
}
