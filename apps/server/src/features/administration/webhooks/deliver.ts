import { and, eq } from 'drizzle-orm'
import { RefusedAddress } from '../../../adapters/post/post.ts'
import { record } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { VERSION } from '../../../version.ts'
import { bodyOf } from './message.ts'
import { signatureOf } from './signature.ts'
import { placeOf } from './webhooks.ts'

type Ids = { companyId: number; deliveryId: string }
/** Seconds before each further attempt: at once, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
export const DELAYS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
const GONE = 410
/** How long nothing may succeed before it is stopped. */
const PATIENCE_MS = 5 * 86_400_000

const one = ({ companyId, deliveryId }: Ids) =>
  and(eq(webhookDeliveries.companyId, companyId), eq(webhookDeliveries.id, deliveryId))

async function findWaiting(db: Db, ids: Ids) {
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .innerJoin(
      webhooks,
      and(eq(webhooks.companyId, webhookDeliveries.companyId), eq(webhooks.id, webhookDeliveries.webhookId)),
    )
    .where(and(one(ids), eq(webhookDeliveries.status, 'waiting')))
  return row && { delivery: row.webhook_deliveries, webhook: row.webhooks }
}
type Waiting = NonNullable<Awaited<ReturnType<typeof findWaiting>>>
type Hook = Waiting['webhook']

type Outcome = { status: number | null; error: string; hopeless: boolean; answer: string; milliseconds: number }

/** The secret, and the former one while its time lasts. */
function secretsOf({ secrets }: Deps, webhook: Hook): string[] {
  const { secret, formerSecret, formerUntil } = webhook
  const former = formerSecret && formerUntil && formerUntil > new Date() ? [formerSecret] : []
  return [secret, ...former].map((sealed) => secrets.open(sealed, placeOf(webhook)))
}

async function attempt(deps: Deps, { delivery, webhook }: Waiting): Promise<Outcome> {
  const body = bodyOf(delivery)
  const seconds = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Voisol/${VERSION}`,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatureOf(secretsOf(deps, webhook), delivery.id, seconds, body),
  }
  const from = performance.now()
  const lasted = () => Math.round(performance.now() - from)
  try {
    const { status, answer = '' } = await deps.poster.post({ url: webhook.url, headers, body })
    const received = status >= 200 && status < 300
    const error = received ? '' : `Le serveur a répondu ${status}.`
    return { status, error, hopeless: status === GONE, answer, milliseconds: lasted() }
  } catch (error) {
    const hopeless = error instanceof RefusedAddress
    const words = hopeless
      ? 'Cette adresse n’est pas publique\u00a0: rien n’y est envoyé.'
      : 'Le serveur n’a pas répondu.'
    return { status: null, error: words, hopeless, answer: '', milliseconds: lasted() }
  }
}

const hook = ({ companyId, id }: Hook) => and(eq(webhooks.companyId, companyId), eq(webhooks.id, id))

/** What an attempt says of its webhook: it works again, it fails, it has failed for too long, or it is gone. */
async function judge(tx: Db, { secrets }: Deps, webhook: Hook, { status, error }: Outcome): Promise<void> {
  const { companyId, id, failingSince } = webhook
  if (error === '') {
    if (failingSince) await tx.update(webhooks).set({ failingSince: null }).where(hook(webhook))
    return
  }
  const since = failingSince ?? new Date()
  const reason = status === GONE ? 'gone' : Date.now() - since.getTime() >= PATIENCE_MS ? 'failing' : undefined
  if (!reason) {
    if (!failingSince) await tx.update(webhooks).set({ failingSince: since }).where(hook(webhook))
    return
  }
  const stopped = await tx
    .update(webhooks)
    .set({ status: 'disabled', stopped: reason, failingSince: since })
    .where(and(hook(webhook), eq(webhooks.status, 'active')))
    .returning({ id: webhooks.id })
  if (stopped.length === 0) return
  const data = { webhookId: id, host: new URL(webhook.url).host, reason } as const
  await record(tx, { companyId, name: 'webhook.stopped', object: id, data, by: { job: 'webhooks.deliver', secrets } })
}

/** Sends what still waits. A failure is written down with its next attempt; what is gone for good is no longer tried. */
export async function deliver(deps: Deps, ids: Ids): Promise<void> {
  const waiting = await findWaiting(deps.db, ids)
  if (waiting?.webhook.status !== 'active') return
  const outcome = await attempt(deps, waiting)
  const { status, error, hopeless, answer, milliseconds } = outcome
  const attempts = waiting.delivery.attempts + 1
  const delay = hopeless ? undefined : DELAYS[attempts - 1]
  const state = error === '' ? 'delivered' : delay === undefined ? 'failed' : 'waiting'
  const deliveredAt = state === 'delivered' ? new Date() : null
  await transaction(deps.db, async (tx) => {
    const values = { status: state, attempts, lastStatus: status, lastError: error, deliveredAt }
    await tx.update(webhookDeliveries).set(values).where(one(ids))
    await tx.insert(webhookAttempts).values({ ...ids, status, error, answer, milliseconds })
    if (state === 'waiting' && delay !== undefined) {
      // Those that failed together do not come back together.
      const after = Math.round(delay * (0.8 + Math.random() * 0.4))
      await enqueue(tx, 'webhooks.deliver', ids, { after })
    }
    await judge(tx, deps, waiting.webhook, outcome)
  })
}
