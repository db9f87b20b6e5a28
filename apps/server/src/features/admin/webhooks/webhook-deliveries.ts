import type { DeliveryQuery, ReplayInput, WebhookDelivery } from '@voisol/contract/webhooks'
import { and, asc, count, desc, eq, gte, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, transaction } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list-query.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { CredentialsInAddressError, RefusedAddressError } from '../../../integrations/post/post.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { RELEASE } from '../../../version.ts'
import { buildMessageBody, signWebhookMessage } from './webhook-message.ts'
import { getWebhookSealContext, loadWebhook } from './webhooks.ts'

type DeliveryIds = { companyId: number; deliveryId: string }
/** Seconds before each retry after the immediate first attempt: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
export const RETRY_DELAYS_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
const HTTP_GONE = 410
/** A webhook without any success for this long is stopped. */
const MAX_FAILING_MS = 5 * 86_400_000

const whereDelivery = ({ companyId, deliveryId }: DeliveryIds) =>
  and(eq(webhookDeliveries.companyId, companyId), eq(webhookDeliveries.id, deliveryId))

async function findWaitingDelivery(db: Db, ids: DeliveryIds) {
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .innerJoin(
      webhooks,
      and(eq(webhooks.companyId, webhookDeliveries.companyId), eq(webhooks.id, webhookDeliveries.webhookId)),
    )
    .where(and(whereDelivery(ids), eq(webhookDeliveries.status, 'waiting')))
  return row && { delivery: row.webhook_deliveries, webhook: row.webhooks }
}
type WaitingDelivery = NonNullable<Awaited<ReturnType<typeof findWaitingDelivery>>>
type WebhookRow = WaitingDelivery['webhook']

type AttemptOutcome = { status: number | null; error: string; hopeless: boolean; answer: string; milliseconds: number }

/** The current secret, and the previous one during its overlap. */
function getSigningSecrets({ secrets }: Deps, webhook: WebhookRow): string[] {
  const { secret, formerSecret, formerUntil } = webhook
  const former = formerSecret && formerUntil && formerUntil > new Date() ? [formerSecret] : []
  return [secret, ...former].map((sealed) => secrets.open(sealed, getWebhookSealContext(webhook)))
}

async function sendAttempt(deps: Deps, { delivery, webhook }: WaitingDelivery): Promise<AttemptOutcome> {
  const body = buildMessageBody(delivery)
  const seconds = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Voisol/${RELEASE}`,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhookMessage(getSigningSecrets(deps, webhook), delivery.id, seconds, body),
  }
  const from = performance.now()
  const getDurationMs = () => Math.round(performance.now() - from)
  try {
    const { status, answer = '' } = await deps.poster.post({ url: webhook.url, headers, body })
    const received = status >= 200 && status < 300
    const error = received ? '' : `Le serveur a répondu ${status}.`
    return { status, error, hopeless: status === HTTP_GONE, answer, milliseconds: getDurationMs() }
  } catch (error) {
    const hopeless = error instanceof RefusedAddressError
    return { status: null, error: describeFailure(error), hopeless, answer: '', milliseconds: getDurationMs() }
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof CredentialsInAddressError)
    return 'Cette adresse contient un nom d’utilisateur ou un mot de passe\u00a0: rien n’y est envoyé. Enregistrez-la sans eux.'
  if (error instanceof RefusedAddressError) return 'Cette adresse n’est pas publique\u00a0: rien n’y est envoyé.'
  return 'Le serveur n’a pas répondu.'
}

const whereWebhook = ({ companyId, id }: WebhookRow) => and(eq(webhooks.companyId, companyId), eq(webhooks.id, id))

/** Updates the health of the webhook after an attempt: working, failing, failing for too long, or gone (410). */
async function updateWebhookHealth(
  tx: Db,
  { secrets }: Deps,
  webhook: WebhookRow,
  { status, error }: AttemptOutcome,
): Promise<void> {
  const { companyId, id, failingSince } = webhook
  if (error === '') {
    if (failingSince) await tx.update(webhooks).set({ failingSince: null }).where(whereWebhook(webhook))
    return
  }
  const since = failingSince ?? new Date()
  const reason = status === HTTP_GONE ? 'gone' : Date.now() - since.getTime() >= MAX_FAILING_MS ? 'failing' : undefined
  if (!reason) {
    if (!failingSince) await tx.update(webhooks).set({ failingSince: since }).where(whereWebhook(webhook))
    return
  }
  const stopped = await tx
    .update(webhooks)
    .set({ status: 'disabled', stopped: reason, failingSince: since })
    .where(and(whereWebhook(webhook), eq(webhooks.status, 'active')))
    .returning({ id: webhooks.id })
  if (stopped.length === 0) return
  const data = { webhookId: id, host: new URL(webhook.url).host, reason } as const
  await recordEvent(tx, {
    companyId,
    name: 'webhook.stopped',
    object: id,
    data,
    by: { job: 'webhooks.deliver', secrets },
  })
}

/** Sends a waiting delivery. A failure is recorded with its next attempt; a permanent one is not retried. */
export async function sendWebhookDelivery(deps: Deps, ids: DeliveryIds): Promise<void> {
  const waiting = await findWaitingDelivery(deps.db, ids)
  if (waiting?.webhook.status !== 'active') return
  const outcome = await sendAttempt(deps, waiting)
  const { status, error, hopeless, answer, milliseconds } = outcome
  const attempts = waiting.delivery.attempts + 1
  const delay = hopeless ? undefined : RETRY_DELAYS_SECONDS[attempts - 1]
  const state = error === '' ? 'delivered' : delay === undefined ? 'failed' : 'waiting'
  const deliveredAt = state === 'delivered' ? new Date() : null
  await transaction(deps.db, async (tx) => {
    const values = { status: state, attempts, lastStatus: status, lastError: error, deliveredAt }
    await tx.update(webhookDeliveries).set(values).where(whereDelivery(ids))
    await tx.insert(webhookAttempts).values({ ...ids, status, error, answer, milliseconds })
    if (state === 'waiting' && delay !== undefined) {
      // Random jitter, so that deliveries that failed together are not retried together.
      const after = Math.round(delay * (0.8 + Math.random() * 0.4))
      await enqueue(tx, 'webhooks.deliver', ids, { after })
    }
    await updateWebhookHealth(tx, deps, waiting.webhook, outcome)
  })
}

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
