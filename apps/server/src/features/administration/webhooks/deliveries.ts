import type { DeliveryQuery, Replay, WebhookDelivery } from '@voisol/contract/webhooks'
import { and, asc, count, desc, eq, gte, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/list.ts'
import { webhookAttempts, webhookDeliveries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { bodyOf } from './message.ts'
import { findWebhook } from './webhooks.ts'

type Row = typeof webhookDeliveries.$inferSelect
const { companyId: company, webhookId: hook, id: key, status, event, createdAt } = webhookDeliveries

const toDelivery = ({
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

export async function listDeliveries(db: Db, actor: Actor, id: string, query: z.output<typeof DeliveryQuery>) {
  const { companyId } = await findWebhook(db, actor, id)
  const where = and(
    eq(company, companyId),
    eq(hook, id),
    query.status ? eq(status, query.status) : undefined,
    query.event ? eq(event, query.event) : undefined,
  )
  const { limit, offset } = pageOf(query)
  const [rows, [sum]] = await Promise.all([
    db.select().from(webhookDeliveries).where(where).orderBy(desc(createdAt), key).limit(limit).offset(offset),
    db.select({ total: count() }).from(webhookDeliveries).where(where),
  ])
  return { items: rows.map(toDelivery), total: sum?.total ?? 0 }
}

/** One message, as it was sent, and what came of each attempt. */
export async function readDelivery(db: Db, actor: Actor, id: string, deliveryId: string) {
  const { companyId } = await findWebhook(db, actor, id)
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(company, companyId), eq(hook, id), eq(key, deliveryId)))
  if (!row) throw new AppError('not-found')
  const own = and(eq(webhookAttempts.companyId, companyId), eq(webhookAttempts.deliveryId, deliveryId))
  const tries = await db.select().from(webhookAttempts).where(own).orderBy(asc(webhookAttempts.at))
  return {
    delivery: toDelivery(row),
    body: bodyOf(row),
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

const MOST = 10_000

/** Sent anew, under the same ids: whoever kept them knows what they have already. */
export async function replay(tx: Db, actor: Actor, id: string, asked: z.output<typeof Replay>): Promise<number> {
  const { companyId, status: state } = await findWebhook(tx, actor, id)
  if (state === 'disabled')
    throw new AppError('conflict', { message: 'Ce webhook est arrêté\u00a0: reprenez-le avant de rejouer ses envois.' })
  const where = and(
    eq(company, companyId),
    eq(hook, id),
    asked.ids ? inArray(key, asked.ids) : undefined,
    asked.status ? eq(status, asked.status) : undefined,
    asked.event ? eq(event, asked.event) : undefined,
    asked.since ? gte(createdAt, new Date(asked.since)) : undefined,
  )
  const rows = await tx.select({ id: key }).from(webhookDeliveries).where(where).orderBy(createdAt).limit(MOST)
  if (rows.length === 0) return 0
  const ids = rows.map((row) => row.id)
  await tx
    .update(webhookDeliveries)
    .set({ status: 'waiting', attempts: 0, lastError: '', lastStatus: null, deliveredAt: null })
    .where(and(eq(company, companyId), inArray(key, ids)))
  for (const deliveryId of ids) await enqueue(tx, 'webhooks.deliver', { companyId, deliveryId })
  return ids.length
}
