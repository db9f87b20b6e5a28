import { getPlanPrice, type PlanPeriod } from '@voisol/contract/plan-prices'
import { getAnchoredPeriod } from '@voisol/money/prorata'
import { countUsedPoints, getPlanPointsLimit } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import { issueSubscriptionBill } from './bill.ts'
import { findRunningPlan, parsePlan, type SubscriptionRow } from './find.ts'
import { changeSubscription } from './move.ts'
import { getPlanLabel, type PlanTerms, type RunningPlan } from './quote.ts'

const AUTHOR = 'Voisol'

/** The planned plan, or null when more points are in use than it allows: the current plan then continues. */
async function findPlannedTerms(tx: Db, row: SubscriptionRow): Promise<PlanTerms | null> {
  const plan = parsePlan({ plan: row.nextPlan })
  const period = row.nextPeriod as PlanPeriod | null // the column has a CHECK constraint
  if (!plan || plan === 'enterprise' || !period) return null
  const limit = getPlanPointsLimit(plan)
  if (limit === null || (await countUsedPoints(tx, row.companyId)) <= limit)
    return { plan, period, price: getPlanPrice(plan, period) }
  return null
}

async function renewPlan(tx: Db, deps: Pick<Deps, 'secrets'>, row: SubscriptionRow, running: RunningPlan) {
  const on = running.to
  const planned = await findPlannedTerms(tx, row)
  const terms = planned ?? { plan: running.plan, period: running.period, price: running.price }
  const anchorOn = planned && planned.period !== running.period ? on : (row.anchorOn ?? running.from)
  const paid = getAnchoredPeriod(anchorOn, terms.period, on)
  const lines = [{ label: getPlanLabel(terms), ...paid, net: terms.price }]
  // A renewal is dated today, because invoice numbers must follow the order of dates.
  await issueSubscriptionBill(tx, deps, row, {
    kind: 'plan',
    title: getPlanLabel(terms),
    lines,
    on: getToday(),
    by: AUTHOR,
  })
  const values = { ...terms, anchorOn, paidFrom: paid.from, paidTo: paid.to, nextPlan: null, nextPeriod: null }
  const kind = planned ? 'applied' : row.nextPlan ? 'kept' : 'renewed'
  return changeSubscription(tx, row, 'active', values, { kind, on, by: AUTHOR })
}

/** Brings a subscription up to date: each elapsed period is renewed and billed, changed as planned, or ended. */
export async function renewOrEndSubscription(
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  found: SubscriptionRow,
): Promise<SubscriptionRow> {
  let row = found
  for (let running = findRunningPlan(row); running && running.to <= getToday(); running = findRunningPlan(row))
    row =
      row.state === 'ending'
        ? await changeSubscription(tx, row, 'ended', {}, { kind: 'ended', on: running.to, by: AUTHOR })
        : await renewPlan(tx, deps, row, running)
  return row
}
