import { and, eq } from 'drizzle-orm'
import { RefusedAddressError } from '../../../adapters/post/post.ts'
import { recordEvent } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { VERSION } from '../../../version.ts'
import { buildMessageBody } from './message.ts'
import { signWebhookMessage } from './signature.ts'
import { getWebhookSealContext } from './webhooks.ts'

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
    'user-agent': `Voisol/${VERSION}`,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhookMessage(getSigningSecrets(deps, webhook), delivery.id, seconds, body),
  }
  const from = performance.now()
  const lasted = () => Math.round(performance.now() - from)
  try {
    const { status, answer = '' } = await deps.poster.post({ url: webhook.url, headers, body })
    const received = status >= 200 && status < 300
    const error = received ? '' : `Le serveur a répondu ${status}.`
    return { status, error, hopeless: status === HTTP_GONE, answer, milliseconds: lasted() }
  } catch (error) {
    const hopeless = error instanceof RefusedAddressError
    const message = hopeless
      ? 'Cette adresse n’est pas publique\u00a0: rien n’y est envoyé.'
      : 'Le serveur n’a pas répondu.'
    return { status: null, error: message, hopeless, answer: '', milliseconds: lasted() }
  }
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
