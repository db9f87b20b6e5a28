import type { WebhookEvent } from '@voisol/contract/webhooks'
import { and, arrayContains, eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { webhookDeliveries, webhooks } from '../db/schema/index.ts'
import { enqueue } from '../jobs/queue.ts'

type Happening = { companyId: number; event: WebhookEvent | 'ping'; data: Record<string, unknown> }

export async function addDelivery(tx: Db, webhookId: string, { companyId, event, data }: Happening) {
  const payload = { event, occurredAt: new Date().toISOString(), data }
  const [row] = await tx
    .insert(webhookDeliveries)
    .values({ companyId, webhookId, event, payload })
    .returning({ id: webhookDeliveries.id })
  if (row) await enqueue(tx, 'webhooks.deliver', { companyId, deliveryId: row.id })
}

/** Tells those who asked for it; committed with what happened, or not at all. */
export async function emit(tx: Db, happening: Happening & { event: WebhookEvent }): Promise<void> {
  const { companyId, event } = happening
  const listening = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(
      and(eq(webhooks.companyId, companyId), eq(webhooks.status, 'active'), arrayContains(webhooks.events, [event])),
    )
  for (const { id } of listening) await addDelivery(tx, id, happening)
}
