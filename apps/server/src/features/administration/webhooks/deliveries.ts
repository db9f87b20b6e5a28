import type { DeliveryQuery, ReplayInput, WebhookDelivery } from '@voisol/contract/webhooks'
import { and, asc, count, desc, eq, gte, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list.ts'
import { webhookAttempts, webhookDeliveries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { buildMessageBody } from './message.ts'
import { loadWebhook } from './webhooks.ts'

type Row = typeof webhookDeliveries.$inferSelect
const { companyId: company, webhookId: hook, id: key, status, event, createdAt } = webhookDeliveries

const toWebhookDelivery = ({
  createdAt: at,
  deliveredAt,
  payload,
  webhookId: _,
  companyId: __,
  ...row
}: Row): WebhookDelivery =>
  ({
    ...row,
    sequence: (payload as { sequence?: number | null }).sequence ?? null, // written by addDelivery
    createdAt: at.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
  }) as WebhookDelivery // events and states are written by this feature alone

export async function listWebhookDeliveries(db: Db, actor: Actor, id: string, query: z.output<typeof DeliveryQuery>) {
  const { companyId } = await loadWebhook(db, actor, id)
  const where = and(
    eq(company, companyId),
    eq(hook, id),
    query.status ? eq(status, query.status) : undefined,
    query.event ? eq(event, query.event) : undefined,
  )
  const { limit, offset } = toLimitOffset(query)
  const [rows, [sum]] = await Promise.all([
    db.select().from(webhookDeliveries).where(where).orderBy(desc(createdAt), key).limit(limit).offset(offset),
    db.select({ total: count() }).from(webhookDeliveries).where(where),
  ])
  return { items: rows.map(toWebhookDelivery), total: sum?.total ?? 0 }
}

/** One message as it was sent, and the result of each attempt. */
export async function loadWebhookDelivery(db: Db, actor: Actor, id: string, deliveryId: string) {
  const { companyId } = await loadWebhook(db, actor, id)
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(company, companyId), eq(hook, id), eq(key, deliveryId)))
  if (!row) throw new AppError('not-found')
  const own = and(eq(webhookAttempts.companyId, companyId), eq(webhookAttempts.deliveryId, deliveryId))
  const tries = await db.select().from(webhookAttempts).where(own).orderBy(asc(webhookAttempts.at))
  return {
    delivery: toWebhookDelivery(row),
    body: buildMessageBody(row),
    tries: tries.map(({ id: one, at, status: answered, error, milliseconds, answer }) => ({
      id: one,
      at: at.toISOString(),
      status: answered,
      error,
      milliseconds,
      answer,
    })),
  }
}

const MAX_REPLAYED = 10_000

/** Sends again under the same ids, by which a receiver recognises messages that it has already. */
export async function replayWebhookDeliveries(
  tx: Db,
  actor: Actor,
  id: string,
  filter: z.output<typeof ReplayInput>,
): Promise<number> {
  const { companyId, status: state } = await loadWebhook(tx, actor, id)
  if (state === 'disabled')
    throw new AppError('conflict', { message: 'Ce webhook est arrêté\u00a0: reprenez-le avant de rejouer ses envois.' })
  const where = and(
    eq(company, companyId),
    eq(hook, id),
    filter.ids ? inArray(key, filter.ids) : undefined,
    filter.status ? eq(status, filter.status) : undefined,
    filter.event ? eq(event, filter.event) : undefined,
    filter.since ? gte(createdAt, new Date(filter.since)) : undefined,
  )
  const rows = await tx.select({ id: key }).from(webhookDeliveries).where(where).orderBy(createdAt).limit(MAX_REPLAYED)
  if (rows.length === 0) return 0
  const ids = rows.map((row) => row.id)
  await tx
    .update(webhookDeliveries)
    .set({ status: 'waiting', attempts: 0, lastError: '', lastStatus: null, deliveredAt: null })
    .where(and(eq(company, companyId), inArray(key, ids)))
  for (const deliveryId of ids) await enqueue(tx, 'webhooks.deliver', { companyId, deliveryId })
  return ids.length
}
