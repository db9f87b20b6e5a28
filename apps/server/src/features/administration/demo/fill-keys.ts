import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { apiKeys, callCounts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { BUCKET_COUNT } from '../../../http/gateway/histogram.ts'
import { getToday } from '../../../today.ts'
import { createApiKey } from '../api-keys/api-keys.ts'
import { createWebhook, setWebhookStatus } from '../webhooks/webhooks.ts'

const HOUR_MS = 3_600_000
const CALL_DAYS = 30
const CALLED_ROUTES = ['GET /api/acc-operations', 'GET /api/energy/series', 'GET /api/invoices']

/** Distribution of response times over the histogram buckets, out of 46: most calls take a few milliseconds. */
const LATENCY_SHARES = [0, 0, 2, 5, 9, 12, 9, 5, 3, 1]
const toLatencyBuckets = (calls: number) =>
  Array.from({ length: BUCKET_COUNT }, (_, at) => Math.round((calls * (LATENCY_SHARES[at] ?? 0)) / 46))

/**
 * Call counts of a spreadsheet that reads every working hour, more in the morning, and sometimes lacks a permission.
 */
function buildCallCounts(companyId: number, who: string) {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const rows: (typeof callCounts.$inferInsert)[] = []
  for (let ago = 2; ago < CALL_DAYS * 24; ago++) {
    const at = new Date(now - ago * HOUR_MS)
    const hour = at.getUTCHours()
    if (hour < 6 || hour > 17 || at.getUTCDay() % 6 === 0) continue
    for (const [index, route] of CALLED_ROUTES.entries()) {
      const calls = 7 + ((ago * 13 + index * 29) % 23) + (hour < 9 ? 19 : 0)
      const about = { companyId, step: 'hour', at, kind: 'key', who, route }
      rows.push({ ...about, calls, bytesOut: calls * 4137, buckets: toLatencyBuckets(calls) })
      if ((ago + index) % 31 === 0)
        rows.push({ ...about, reason: 'forbidden', calls: 2, errors: 2, bytesOut: 614, buckets: toLatencyBuckets(0) })
    }
  }
  return rows
}

const hasKeys = async (tx: Db, companyId: number) =>
  (await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.companyId, companyId)).limit(1)).length > 0

/** Creates two API keys, one of them about to expire, the calls of the first, and a paused webhook. */
export async function fillKeys(deps: Deps, actor: Actor): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    if (await hasKeys(tx, companyId)) return
    const limits = { allowedNetworks: [], operationIds: null, perSecond: 10, perMonth: 50_000 }
    const rights = ['operations.read', 'energy.read', 'invoices.read'] as const
    const spreadsheetKey = {
      name: 'Tableur de la comptabilité',
      permissions: [...rights],
      expiresOn: addDays(getToday(), 200),
    }
    const { id } = await createApiKey(tx, actor, { ...limits, ...spreadsheetKey })
    const monitoringKey = {
      name: 'Supervision',
      permissions: ['energy.read' as const],
      expiresOn: addDays(getToday(), 12),
    }
    await createApiKey(tx, actor, { ...limits, ...monitoringKey, allowedNetworks: ['203.0.113.0/24'] })
    await tx.insert(callCounts).values(buildCallCounts(companyId, id)).onConflictDoNothing()
    const events = ['month.closed' as const, 'invoice.issued' as const]
    const hook = await createWebhook(tx, deps, actor, { url: 'https://compta.exemple.fr/voisol', events })
    // The webhook is paused, because a demo must not send data to outside servers.
    await setWebhookStatus(tx, actor, hook.id, 'paused')
  })
}
