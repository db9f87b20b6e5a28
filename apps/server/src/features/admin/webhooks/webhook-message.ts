import { createHmac, randomBytes } from 'node:crypto'
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

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Standard Webhooks: a prefix that secret scanners recognise, and random bytes in base64. */
export const generateWebhookSecret = () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The HMAC key; a secret older than the standard is used as its text. */
const toSigningKey = (secret: string) =>
  secret.startsWith(SECRET_PREFIX) ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64') : Buffer.from(secret)

/**
 * `v1,<base64>` over id, time and body, for each valid secret. The signed time lets a receiver detect replayed
 * messages.
 */
export const signWebhookMessage = (secrets: string[], id: string, seconds: number, body: string) =>
  secrets
    .map(
      (secret) =>
        `v1,${createHmac('sha256', toSigningKey(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`,
    )
    .join(' ')
