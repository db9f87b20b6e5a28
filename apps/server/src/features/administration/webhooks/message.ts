import type { EventName } from '@voisol/contract/events'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import { enqueue } from '../../../jobs/queue.ts'

type WebhookMessage = {
  event: EventName | 'ping'
  /** The sequence number of the event in its company; null for a test message. */
  sequence: number | null
  occurredAt: Date
  data: object
  /** The rule that sent it, when the webhook did not subscribe to the event itself. */
  rule?: string
}

/**
 * Read after the message is inserted, which locks the webhook row: a concurrent resume waits and then finds the
 * message.
 */
async function isActive(tx: Db, companyId: number, webhookId: string): Promise<boolean> {
  const [webhook] = await tx
    .select({ status: webhooks.status })
    .from(webhooks)
    .where(and(eq(webhooks.companyId, companyId), eq(webhooks.id, webhookId)))
  return webhook?.status === 'active'
}

/** Queues a message; a replay has the same id and sequence number. */
export async function addWebhookDelivery(
  tx: Db,
  companyId: number,
  webhookId: string,
  message: WebhookMessage,
): Promise<void> {
  const { event } = message
  const payload = { ...message, occurredAt: message.occurredAt.toISOString() }
  const [row] = await tx
    .insert(webhookDeliveries)
    .values({ companyId, webhookId, event, payload })
    .returning({ id: webhookDeliveries.id })
  if (row && (await isActive(tx, companyId, webhookId)))
    await enqueue(tx, 'webhooks.deliver', { companyId, deliveryId: row.id })
}

type StoredMessage = Pick<typeof webhookDeliveries.$inferSelect, 'id' | 'payload'>
/** The exact body that is sent, byte for byte, because the signature covers it. */
export const buildMessageBody = ({ id, payload }: StoredMessage) => JSON.stringify({ id, ...(payload as object) }) // written by addDelivery alone
