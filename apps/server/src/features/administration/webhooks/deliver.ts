import { createHmac } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { RefusedAddress } from '../../../adapters/post/post.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { VERSION } from '../../../http/version.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { placeOf } from './webhooks.ts'

type Ids = { companyId: number; deliveryId: string }
/** Seconds before each further attempt: at once, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
export const DELAYS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
const GONE = 410

/** `t=<seconds>,v1=<hex>` over the time and the body: an old message sent again is told from a new one. */
export function signatureOf(secret: string, body: string, seconds: number) {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

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

type Outcome = { status: number | null; error: string; hopeless: boolean }

async function attempt({ secrets, poster }: Deps, { delivery, webhook }: Waiting): Promise<Outcome> {
  const body = JSON.stringify({ id: delivery.id, ...(delivery.payload as object) }) // written by addDelivery alone
  const seconds = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Voisol/${VERSION}`,
    'x-voisol-event': delivery.event,
    'x-voisol-delivery': delivery.id,
    'x-voisol-signature': signatureOf(secrets.open(webhook.secret, placeOf(webhook)), body, seconds),
  }
  try {
    const { status } = await poster.post({ url: webhook.url, headers, body })
    const received = status >= 200 && status < 300
    return { status, error: received ? '' : `Le serveur a répondu ${status}.`, hopeless: status === GONE }
  } catch (error) {
    const hopeless = error instanceof RefusedAddress
    const words = hopeless
      ? 'Cette adresse n’est pas publique\u00a0: rien n’y est envoyé.'
      : 'Le serveur n’a pas répondu.'
    return { status: null, error: words, hopeless }
  }
}

/** Sends what still waits. A failure is written down with its next attempt; what is gone for good is no longer tried. */
export async function deliver(deps: Deps, ids: Ids): Promise<void> {
  const waiting = await findWaiting(deps.db, ids)
  if (waiting?.webhook.status !== 'active') return
  const { status, error, hopeless } = await attempt(deps, waiting)
  const attempts = waiting.delivery.attempts + 1
  const delay = hopeless ? undefined : DELAYS[attempts - 1]
  const state = error === '' ? 'delivered' : delay === undefined ? 'failed' : 'waiting'
  await transaction(deps.db, async (tx) => {
    await tx
      .update(webhookDeliveries)
      .set({
        status: state,
        attempts,
        lastStatus: status,
        lastError: error,
        deliveredAt: state === 'delivered' ? new Date() : null,
      })
      .where(one(ids))
    if (status === GONE)
      await tx
        .update(webhooks)
        .set({ status: 'disabled' })
        .where(and(eq(webhooks.companyId, ids.companyId), eq(webhooks.id, waiting.webhook.id)))
    if (state === 'waiting' && delay !== undefined) {
      // Those that failed together do not come back together.
      const after = Math.round(delay * (0.8 + Math.random() * 0.4))
      await enqueue(tx, 'webhooks.deliver', ids, { after })
    }
  })
}
