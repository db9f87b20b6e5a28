import type { Subscription } from '@voisol/contract/subscription'
import { PlanChange } from '@voisol/contract/subscription-words'
import { desc, eq } from 'drizzle-orm'
import { limitOf, pointsUsed } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import { subscriptionChanges } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { addOnsOf, toAddOn } from './add-ons.ts'
import { moneyBackUntil } from './choose.ts'
import { companyOf, findSubscription, planOf, type SubscriptionRow } from './find.ts'

/** As many lines of its history as a screen shows. */
const MOST = 50

async function changesOf(db: Db, companyId: number) {
  const rows = await db
    .select()
    .from(subscriptionChanges)
    .where(eq(subscriptionChanges.companyId, companyId))
    .orderBy(desc(subscriptionChanges.createdAt))
    .limit(MOST)
  return rows.flatMap((row) => PlanChange.safeParse(row).data ?? [])
}

/** A trial that has run out, or an end that was reached. */
export const isReadOnly = ({ state }: SubscriptionRow, trialEndsAt: Date | null) =>
  state === 'ended' || (state === 'trial' && trialEndsAt !== null && trialEndsAt.getTime() <= Date.now())

export async function viewOf(db: Db, row: SubscriptionRow): Promise<Subscription> {
  const { companyId } = row
  const company = await companyOf(db, companyId)
  const nextPlan = planOf({ plan: row.nextPlan })
  const next = nextPlan && row.nextPeriod ? { plan: nextPlan, period: row.nextPeriod } : null
  const view = {
    state: row.state,
    plan: planOf(row),
    period: row.period,
    price: row.price,
    startedOn: row.startedOn,
    paidFrom: row.paidFrom,
    paidTo: row.paidTo,
    trialEndsAt: row.state === 'trial' ? (company.trialEndsAt?.toISOString() ?? null) : null,
    readOnly: !company.keepsSite && isReadOnly(row, company.trialEndsAt),
    moneyBackUntil: company.keepsSite ? null : moneyBackUntil(row),
    next,
    addOns: (await addOnsOf(db, [companyId])).map(toAddOn),
    changes: await changesOf(db, companyId),
    version: row.version,
  }
  return view as Subscription // parsed by the endpoint: the columns hold only these
}

export async function getSubscription(db: Db, { companyId, keepsSite }: Actor) {
  const row = await findSubscription(db, companyId)
  const used = await pointsUsed(db, companyId)
  return {
    subscription: row ? await viewOf(db, row) : null,
    keeper: keepsSite,
    points: { used, limit: row ? limitOf(planOf(row)) : null },
  }
}
