import type { EventName } from '@voisol/contract/events'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import { enqueue } from '../../../jobs/queue.ts'

type WebhookMessage = {
  event: EventName | 'ping'
  /** The number of the event among those of the company; a trial has none. */
  sequence: number | null
  occurredAt: Date
  data: object
  /** The rule that sent it, where it was not asked for by the webhook itself. */
  rule?: string
}

/** Asked once the message stands, which holds its webhook: whoever takes it up again waits, and finds the message. */
async function isActive(tx: Db, companyId: number, webhookId: string): Promise<boolean> {
  const [webhook] = await tx
    .select({ status: webhooks.status })
    .from(webhooks)
    .where(and(eq(webhooks.companyId, companyId), eq(webhooks.id, webhookId)))
  return webhook?.status === 'active'
}

/** What is sent, and sent again: a repeat bears the same id and the same number. */
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
/** The body as it goes out, letter for letter: the signature is over it. */
export const buildMessageBody = ({ id, payload }: StoredMessage) => JSON.stringify({ id, ...(payload as object) }) // written by addDelivery alone
