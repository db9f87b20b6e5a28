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

/** What was planned, or null where it is too small for what runs: then the plan goes on as it is. */
async function findPlannedTerms(tx: Db, row: SubscriptionRow): Promise<PlanTerms | null> {
  const plan = parsePlan({ plan: row.nextPlan })
  const period = row.nextPeriod as PlanPeriod | null // the column holds only these
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
  // The series go on from today: a document is never dated back.
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

/** Brings a subscription to today: each period that has gone by is renewed and billed, changed as planned, or ended. */
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
