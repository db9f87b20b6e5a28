import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { apiKeys, callCounts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { BUCKETS } from '../../../http/gateway/histogram.ts'
import { today } from '../../../today.ts'
import { createApiKey } from '../api-keys/api-keys.ts'
import { createWebhook, moveWebhook } from '../webhooks/webhooks.ts'

const HOUR_MS = 3_600_000
const DAYS = 30
const ROUTES = ['GET /api/acc-operations', 'GET /api/energy/series', 'GET /api/invoices']

/** Most calls take a few milliseconds, a few take many: shares of the steps, of 46. */
const SHARES = [0, 0, 2, 5, 9, 12, 9, 5, 3, 1]
const spread = (calls: number) =>
  Array.from({ length: BUCKETS }, (_, at) => Math.round((calls * (SHARES[at] ?? 0)) / 46))

/** A spreadsheet that asks every working hour, more in the morning, and once in a while for something it may not. */
function callsOf(companyId: number, who: string) {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const rows: (typeof callCounts.$inferInsert)[] = []
  for (let ago = 2; ago < DAYS * 24; ago++) {
    const at = new Date(now - ago * HOUR_MS)
    const hour = at.getUTCHours()
    if (hour < 6 || hour > 17 || at.getUTCDay() % 6 === 0) continue
    for (const [index, route] of ROUTES.entries()) {
      const calls = 7 + ((ago * 13 + index * 29) % 23) + (hour < 9 ? 19 : 0)
      const about = { companyId, step: 'hour', at, kind: 'key', who, route }
      rows.push({ ...about, calls, bytesOut: calls * 4137, buckets: spread(calls) })
      if ((ago + index) % 31 === 0)
        rows.push({ ...about, reason: 'forbidden', calls: 2, errors: 2, bytesOut: 614, buckets: spread(0) })
    }
  }
  return rows
}

const hasKeys = async (tx: Db, companyId: number) =>
  (await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.companyId, companyId)).limit(1)).length > 0

/** Two keys, one of them near its end, what the first has called, and a webhook that waits for its server. */
export async function fillKeys(deps: Deps, actor: Actor): Promise<void> {
  const { companyId } = actor
  await transaction(forCompany(deps.db, companyId), async (tx) => {
    if (await hasKeys(tx, companyId)) return
    const limits = { allowedNetworks: [], operationIds: null, perSecond: 10, perMonth: 50_000 }
    const rights = ['operations.read', 'energy.read', 'invoices.read'] as const
    const sheet = { name: 'Tableur de la comptabilité', permissions: [...rights], expiresOn: addDays(today(), 200) }
    const { id } = await createApiKey(tx, actor, { ...limits, ...sheet })
    const watch = { name: 'Supervision', permissions: ['energy.read' as const], expiresOn: addDays(today(), 12) }
    await createApiKey(tx, actor, { ...limits, ...watch, allowedNetworks: ['203.0.113.0/24'] })
    await tx.insert(callCounts).values(callsOf(companyId, id)).onConflictDoNothing()
    const events = ['month.closed' as const, 'invoice.issued' as const]
    const hook = await createWebhook(tx, deps, actor, { url: 'https://compta.exemple.fr/voisol', events })
    // Nobody is at the other end: nothing of a demonstration leaves the house.
    await moveWebhook(tx, actor, hook.id, 'paused')
  })
}
