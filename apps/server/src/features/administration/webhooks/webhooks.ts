import type { ListQuery } from '@voisol/contract/list'
import type { Webhook, WebhookDelivery, WebhookEvent } from '@voisol/contract/webhooks'
import { and, count, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { hostOf, isInnerHost, isOpenPort } from '../../../adapters/post/addresses.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { newToken } from '../../../secrets.ts'
import { webhookScope } from './scope.ts'

type Row = typeof webhooks.$inferSelect
type Draft = { url: string; events: WebhookEvent[]; secret?: string | undefined }

const MOST = 20
/** Where the secret of a webhook is sealed: a copy in another row does not open. */
export const placeOf = ({ companyId, id }: Pick<Row, 'companyId' | 'id'>) => `webhook ${companyId} ${id}`

const toWebhook = ({ id, url, events, status, createdAt }: Row): Webhook => ({
  id,
  url,
  events: events as WebhookEvent[], // written by createWebhook alone
  status: status === 'active' ? 'active' : 'disabled',
  createdAt: createdAt.toISOString(),
})

export async function listWebhooks(db: Db, actor: Actor, query: ListQuery) {
  const where = and(webhookScope(actor), matches(query.q, [webhooks.url]))
  const order = orderBy(query.sort, { createdAt: webhooks.createdAt, url: webhooks.url }, '-createdAt')
  const { limit, offset } = pageOf(query)
  const [rows, [sum]] = await Promise.all([
    db.select().from(webhooks).where(where).orderBy(order, webhooks.id).limit(limit).offset(offset),
    db.select({ total: count() }).from(webhooks).where(where),
  ])
  return { items: rows.map(toWebhook), total: sum?.total ?? 0 }
}

export async function findWebhook(db: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(webhookScope(actor), eq(webhooks.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

function requireOutside(url: URL, { WEBHOOK_PORTS }: Config) {
  if (isInnerHost(hostOf(url)))
    throw fieldError('url', 'Cette adresse n’est pas joignable depuis internet\u00a0: donnez un nom de domaine public.')
  if (!isOpenPort(url, WEBHOOK_PORTS))
    throw fieldError('url', `Le port ${url.port} n’est pas permis\u00a0: seuls 80 et 443 le sont sur ce serveur.`)
}

type Making = Pick<Deps, 'secrets' | 'config'>

export async function createWebhook(tx: Db, { secrets, config }: Making, actor: Actor, draft: Draft) {
  const { companyId } = actor
  requireOutside(new URL(draft.url), config)
  const [sum] = await tx.select({ total: count() }).from(webhooks).where(webhookScope(actor))
  if ((sum?.total ?? 0) >= MOST)
    throw new AppError('conflict', { message: `Une organisation peut avoir ${MOST} webhooks au plus.` })
  const id = crypto.randomUUID()
  const secret = draft.secret ?? newToken()
  const sealed = secrets.seal(secret, placeOf({ companyId, id }))
  const events = [...new Set(draft.events)]
  const [row] = await tx.insert(webhooks).values({ companyId, id, url: draft.url, events, secret: sealed }).returning()
  if (!row) throw new AppError('internal')
  return { ...toWebhook(row), secret }
}

export async function removeWebhook(tx: Db, actor: Actor, id: string): Promise<Row> {
  const row = await findWebhook(tx, actor, id)
  await tx.delete(webhooks).where(and(webhookScope(actor), eq(webhooks.id, id)))
  return row
}

type Delivery = z.output<typeof WebhookDelivery>

export async function listDeliveries(db: Db, actor: Actor, id: string, query: ListQuery) {
  const { companyId, id: webhookId } = await findWebhook(db, actor, id)
  const where = and(eq(webhookDeliveries.companyId, companyId), eq(webhookDeliveries.webhookId, webhookId))
  const { limit, offset } = pageOf(query)
  const [rows, [sum]] = await Promise.all([
    db
      .select()
      .from(webhookDeliveries)
      .where(where)
      .orderBy(desc(webhookDeliveries.createdAt))
      .limit(limit)
      .offset(offset),
    db.select({ total: count() }).from(webhookDeliveries).where(where),
  ])
  const items = rows.map(({ createdAt, deliveredAt, payload, ...row }) => ({
    ...row,
    sequence: (payload as { sequence?: number | null }).sequence ?? null, // written by addDelivery
    createdAt: createdAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
  }))
  return { items: items as Delivery[], total: sum?.total ?? 0 } // events and states are written by this feature alone
}
