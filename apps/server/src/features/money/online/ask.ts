import { and, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { onlinePayments, onlineProviders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { hear } from './hear.ts'
import { connect, type ProviderRow } from './providers.ts'

/** Messages may be written a little before they are known. */
const OVERLAP_MS = 86_400_000
/** As far as a provider remembers them. */
const FURTHEST_MS = 28 * 86_400_000

/** A payment can be disputed for thirteen months: that long, what was unplugged is still asked. */
const FOLLOWED_MS = 400 * 86_400_000

const unanswered = (db: Db, { companyId, id }: ProviderRow, before: Date) =>
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

/** What one provider told since it was last asked, and what became of attempts of which nothing was heard. */
export async function askProvider(deps: Deps, provider: ProviderRow, now = new Date()): Promise<void> {
  const db = forCompany(deps.db, provider.companyId)
  const at = connect(deps, provider)
  const since = Math.max(+(provider.askedAt ?? provider.createdAt) - OVERLAP_MS, +now - FURTHEST_MS)
  const told = await at.since(new Date(since))
  for (const notice of told) await transaction(db, (tx) => hear(tx, provider, notice))
  for (const { checkoutId } of await unanswered(db, provider, now))
    for (const notice of await at.fetch(checkoutId)) await transaction(db, (tx) => hear(tx, provider, notice))
  await db
    .update(onlineProviders)
    .set({ askedAt: now })
    .where(and(eq(onlineProviders.companyId, provider.companyId), eq(onlineProviders.id, provider.id)))
}

/** Every night: a message that never came is asked for. One provider that is away does not keep the others waiting. */
export async function askProviders(deps: Deps): Promise<void> {
  const open = or(isNull(onlineProviders.closedAt), gt(onlineProviders.closedAt, new Date(Date.now() - FOLLOWED_MS)))
  const rows = await deps.db.select().from(onlineProviders).where(open)
  for (const provider of rows) {
    if (provider.environment === 'local' && !deps.payments.hosts.local) continue
    await askProvider(deps, provider).catch((error: unknown) =>
      deps.log.warn({ err: error, provider: provider.id }, 'online payments were not asked for'),
    )
  }
}
