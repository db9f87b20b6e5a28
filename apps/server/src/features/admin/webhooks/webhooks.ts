import type { ListQuery } from '@voisol/contract/primitives'
import type { NewWebhook, Webhook, WebhookChange, WebhookEvent } from '@voisol/contract/webhooks'
import { and, count, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getUnbracketedHost, isAllowedPort, isPrivateHost } from '../../../integrations/post/post.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { generateWebhookSecret } from './webhook-message.ts'

type Row = typeof webhooks.$inferSelect

const MAX_WEBHOOKS = 20
/** Binds the encrypted secret to its row: copied to another row, it cannot be decrypted. */
export const getWebhookSealContext = ({ companyId, id }: Pick<Row, 'companyId' | 'id'>) => `webhook ${companyId} ${id}`

const toWebhook = ({ id, url, events, status, stopped, failingSince, formerUntil, createdAt }: Row): Webhook => ({
  id,
  url,
  events: events as WebhookEvent[], // written by createWebhook alone
  status: status as Webhook['status'], // likewise
  stopped: (stopped || null) as Webhook['stopped'], // likewise
  failingSince: failingSince?.toISOString() ?? null,
  formerUntil: formerUntil && formerUntil > new Date() ? formerUntil.toISOString() : null,
  createdAt: createdAt.toISOString(),
})

export async function listWebhooks(db: Db, actor: Actor, query: ListQuery) {
  const where = and(webhookScope(actor), matchesSearchWords(query.q, [webhooks.url]))
  const order = buildOrderBy(query.sort, { createdAt: webhooks.createdAt, url: webhooks.url }, '-createdAt')
  const { limit, offset } = toLimitOffset(query)
  const [rows, [sum]] = await Promise.all([
    db.select().from(webhooks).where(where).orderBy(order, webhooks.id).limit(limit).offset(offset),
    db.select({ total: count() }).from(webhooks).where(where),
  ])
  return { items: rows.map(toWebhook), total: sum?.total ?? 0 }
}

export async function loadWebhook(db: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(webhookScope(actor), eq(webhooks.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

function requirePublicUrl(url: URL, { WEBHOOK_PORTS }: Config) {
  if (isPrivateHost(getUnbracketedHost(url)))
    throw fieldError('url', 'Cette adresse n’est pas joignable depuis internet\u00a0: donnez un nom de domaine public.')
  if (!isAllowedPort(url, WEBHOOK_PORTS))
    throw fieldError('url', `Le port ${url.port} n’est pas permis\u00a0: seuls 80 et 443 le sont sur ce serveur.`)
}

type WebhookDeps = Pick<Deps, 'secrets' | 'config'>

export async function createWebhook(
  tx: Db,
  { secrets, config }: WebhookDeps,
  actor: Actor,
  draft: z.output<typeof NewWebhook>,
) {
  const { companyId } = actor
  requirePublicUrl(new URL(draft.url), config)
  const [sum] = await tx.select({ total: count() }).from(webhooks).where(webhookScope(actor))
  if ((sum?.total ?? 0) >= MAX_WEBHOOKS)
    throw new AppError('conflict', { message: `Une organisation peut avoir ${MAX_WEBHOOKS} webhooks au plus.` })
  const id = crypto.randomUUID()
  const secret = draft.secret ?? generateWebhookSecret()
  const sealed = secrets.seal(secret, getWebhookSealContext({ companyId, id }))
  const events = [...new Set(draft.events)]
  const [row] = await tx.insert(webhooks).values({ companyId, id, url: draft.url, events, secret: sealed }).returning()
  if (!row) throw new AppError('internal')
  return { ...toWebhook(row), secret }
}

/**
 * Locks the webhook until the end of the transaction: a second concurrent rotation keeps the first one's secret as the
 * previous one.
 */
async function lockWebhook(tx: Db, actor: Actor, id: string): Promise<Row> {
  const which = and(webhookScope(actor), eq(webhooks.id, id))
  const [row] = await tx.select().from(webhooks).where(which).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

async function updateWebhookRow(tx: Db, actor: Actor, id: string, values: Partial<typeof webhooks.$inferInsert>) {
  const before = await lockWebhook(tx, actor, id)
  const [row] = await tx
    .update(webhooks)
    .set(values)
    .where(and(webhookScope(actor), eq(webhooks.id, id)))
    .returning()
  if (!row) throw new AppError('not-found')
  return { before: toWebhook(before), after: toWebhook(row) }
}

export function updateWebhook(tx: Db, config: Config, actor: Actor, id: string, draft: z.output<typeof WebhookChange>) {
  requirePublicUrl(new URL(draft.url), config)
  return updateWebhookRow(tx, actor, id, { url: draft.url, events: [...new Set(draft.events)] })
}

/** While paused, messages wait; on resume all of them are sent, and earlier failures are forgotten. */
export async function setWebhookStatus(tx: Db, actor: Actor, id: string, status: 'active' | 'paused') {
  const moved = await updateWebhookRow(tx, actor, id, {
    status,
    ...(status === 'active' && { failingSince: null, stopped: '' }),
  })
  if (status === 'active' && moved.before.status !== 'active') {
    const { companyId } = actor
    const own = and(eq(webhookDeliveries.companyId, companyId), eq(webhookDeliveries.webhookId, id))
    const waiting = await tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(own, eq(webhookDeliveries.status, 'waiting')))
    for (const { id: deliveryId } of waiting)
      await enqueue(tx, 'webhooks.deliver', { companyId, deliveryId }, { once: `resumed ${deliveryId}` })
  }
  return moved
}

/** Issues another secret; during the overlap messages have the signatures of both. */
export async function rotateSecret(tx: Db, { secrets }: WebhookDeps, actor: Actor, id: string, overlapHours: number) {
  const { secret: former, companyId } = await lockWebhook(tx, actor, id)
  const secret = generateWebhookSecret()
  const until = new Date(Date.now() + overlapHours * 3_600_000)
  const formerColumns =
    overlapHours > 0 ? { formerSecret: former, formerUntil: until } : { formerSecret: null, formerUntil: null }
  const { after } = await updateWebhookRow(tx, actor, id, {
    secret: secrets.seal(secret, getWebhookSealContext({ companyId, id })),
    ...formerColumns,
  })
  return { ...after, secret }
}

export async function removeWebhook(tx: Db, actor: Actor, id: string): Promise<Row> {
  const row = await loadWebhook(tx, actor, id)
  await tx.delete(webhooks).where(and(webhookScope(actor), eq(webhooks.id, id)))
  return row
}

const webhookScope = (actor: Actor) => eq(webhooks.companyId, actor.companyId)
