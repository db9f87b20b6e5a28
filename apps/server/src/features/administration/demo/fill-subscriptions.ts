import { PLANS } from '@voisol/contract/plan-prices'
import { addMonthsToDay, getAnchoredPeriod } from '@voisol/money/prorata'
import { and, eq, min, ne } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { companies, participations, subscriptionChanges, subscriptions } from '../../../db/schema/index.ts'

/**
 * The demo company has had the most popular plan since its first participant joined; as operator of the installation it
 * does not pay itself.
 */
async function fillSiteOwner(tx: Db, companyId: number, today: string) {
  const [first] = await tx
    .select({ on: min(participations.startsOn) })
    .from(participations)
    .where(eq(participations.companyId, companyId))
  const on = first?.on && first.on < today ? first.on : addMonthsToDay(today, -12)
  const paid = getAnchoredPeriod(on, 'month', today)
  const plan = { plan: 'professional', period: 'month' } as const
  const dates = { startedOn: on, anchorOn: on, paidFrom: paid.from, paidTo: paid.to }
  const [row] = await tx
    .insert(subscriptions)
    .values({ companyId, state: 'active', ...plan, price: PLANS.professional.month, ...dates })
    .onConflictDoNothing()
    .returning()
  if (row) await tx.insert(subscriptionChanges).values({ companyId, kind: 'chosen', on, ...plan, by: 'Voisol' })
}

/** The second company is on a trial without an end date. */
export const fillSubscriptions = (db: Db, companyId: number, today: string) =>
  transaction(db, async (tx) => {
    await fillSiteOwner(tx, companyId, today)
    const others = await tx
      .select({ id: companies.id })
      .from(companies)
      .where(and(eq(companies.isDemo, true), ne(companies.id, companyId)))
    for (const { id } of others) await tx.insert(subscriptions).values({ companyId: id }).onConflictDoNothing()
  })
