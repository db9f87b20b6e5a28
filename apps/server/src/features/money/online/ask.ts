import { and, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { onlinePayments, onlineProviders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { processNotice } from './hear.ts'
import { createClientOfProvider, type ProviderRow } from './providers.ts'

/** Messages may be dated a little before they can be listed. */
const OVERLAP_MS = 86_400_000
/** How long a provider keeps its messages. */
const MAX_LOOKBACK_MS = 28 * 86_400_000

/** A payment can be disputed for thirteen months, so a disconnected provider is polled that long. */
const DISPUTE_PERIOD_MS = 400 * 86_400_000

const loadUnansweredPayments = (db: Db, { companyId, id }: ProviderRow, before: Date) =>
  db
    .select({ checkoutId: onlinePayments.checkoutId })
    .from(onlinePayments)
    .where(
      and(
        eq(onlinePayments.companyId, companyId),
        eq(onlinePayments.providerId, id),
        inArray(onlinePayments.state, ['open', 'processing']),
        lt(onlinePayments.updatedAt, before),
      ),
    )

/** Fetches a provider's messages since the last poll, and the state of payments without any message. */
export async function pollProvider(deps: Deps, provider: ProviderRow, now = new Date()): Promise<void> {
  const db = scopeToCompany(deps.db, provider.companyId)
  const client = createClientOfProvider(deps, provider)
  const since = Math.max(+(provider.askedAt ?? provider.createdAt) - OVERLAP_MS, +now - MAX_LOOKBACK_MS)
  const notices = await client.since(new Date(since))
  for (const notice of notices) await transaction(db, (tx) => processNotice(tx, provider, notice))
  for (const { checkoutId } of await loadUnansweredPayments(db, provider, now))
    for (const notice of await client.fetch(checkoutId))
      await transaction(db, (tx) => processNotice(tx, provider, notice))
  await db
    .update(onlineProviders)
    .set({ askedAt: now })
    .where(and(eq(onlineProviders.companyId, provider.companyId), eq(onlineProviders.id, provider.id)))
}

/** Runs every night to fetch missed messages. An unreachable provider does not stop the others. */
export async function pollProviders(deps: Deps): Promise<void> {
  const open = or(
    isNull(onlineProviders.closedAt),
    gt(onlineProviders.closedAt, new Date(Date.now() - DISPUTE_PERIOD_MS)),
  )
  const rows = await deps.db.select().from(onlineProviders).where(open)
  for (const provider of rows) {
    if (provider.environment === 'local' && !deps.payments.hosts.local) continue
    await pollProvider(deps, provider).catch((error: unknown) =>
      deps.log.warn({ err: error, provider: provider.id }, 'online payments were not asked for'),
    )
  }
}
