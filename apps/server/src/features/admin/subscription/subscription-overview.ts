import { PlanChange } from '@voisol/contract/plan-schemas'
import type { Subscription } from '@voisol/contract/subscription'
import { desc, eq } from 'drizzle-orm'
import { countUsedPoints, getPlanPointsLimit } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import { subscriptionChanges } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { listAddOns, toAddOn } from './add-ons.ts'
import { getMoneyBackEnd } from './change-plan.ts'
import { findSubscription, loadCompanyRow, parsePlan, type SubscriptionRow } from './find-subscription.ts'

/** Maximum number of history lines on the screen. */
const MAX_LISTED_CHANGES = 50

async function listChanges(db: Db, companyId: number) {
  const rows = await db
    .select()
    .from(subscriptionChanges)
    .where(eq(subscriptionChanges.companyId, companyId))
    .orderBy(desc(subscriptionChanges.createdAt))
    .limit(MAX_LISTED_CHANGES)
  return rows.flatMap((row) => PlanChange.safeParse(row).data ?? [])
}

/** An expired trial, or a subscription that has ended. */
export const isSubscriptionReadOnly = ({ state }: SubscriptionRow, trialEndsAt: Date | null) =>
  state === 'ended' || (state === 'trial' && trialEndsAt !== null && trialEndsAt.getTime() <= Date.now())

export async function loadSubscriptionView(db: Db, row: SubscriptionRow): Promise<Subscription> {
  const { companyId } = row
  const company = await loadCompanyRow(db, companyId)
  const nextPlan = parsePlan({ plan: row.nextPlan })
  const next = nextPlan && row.nextPeriod ? { plan: nextPlan, period: row.nextPeriod } : null
  const view = {
    state: row.state,
    plan: parsePlan(row),
    period: row.period,
    price: row.price,
    startedOn: row.startedOn,
    paidFrom: row.paidFrom,
    paidTo: row.paidTo,
    trialEndsAt: row.state === 'trial' ? (company.trialEndsAt?.toISOString() ?? null) : null,
    readOnly: !company.keepsSite && isSubscriptionReadOnly(row, company.trialEndsAt),
    moneyBackUntil: company.keepsSite ? null : getMoneyBackEnd(row),
    next,
    addOns: (await listAddOns(db, [companyId])).map(toAddOn),
    changes: await listChanges(db, companyId),
    version: row.version,
  }
  return view as Subscription // parsed by the endpoint; the columns have CHECK constraints
}

export async function loadSubscriptionOverview(db: Db, { companyId, keepsSite }: Actor) {
  const row = await findSubscription(db, companyId)
  const used = await countUsedPoints(db, companyId)
  return {
    subscription: row ? await loadSubscriptionView(db, row) : null,
    keeper: keepsSite,
    points: { used, limit: row ? getPlanPointsLimit(parsePlan(row)) : null },
  }
}
