import { type PlanPeriod, priceOf } from '@voisol/contract/plan-prices'
import { periodFrom } from '@voisol/money/prorata'
import { limitOf, pointsUsed } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { today } from '../../../today.ts'
import { issueBill } from './bill.ts'
import { planOf, runningOf, type SubscriptionRow } from './find.ts'
import { move } from './move.ts'
import { planLabel, type Running, type Terms } from './quote.ts'

const BY = 'Voisol'

/** What was planned, or null where it is too small for what runs: then the plan goes on as it is. */
async function plannedOf(tx: Db, row: SubscriptionRow): Promise<Terms | null> {
  const plan = planOf({ plan: row.nextPlan })
  const period = row.nextPeriod as PlanPeriod | null // the column holds only these
  if (!plan || plan === 'enterprise' || !period) return null
  const limit = limitOf(plan)
  if (limit === null || (await pointsUsed(tx, row.companyId)) <= limit)
    return { plan, period, price: priceOf(plan, period) }
  return null
}

async function renew(tx: Db, deps: Pick<Deps, 'secrets'>, row: SubscriptionRow, running: Running) {
  const on = running.to
  const planned = await plannedOf(tx, row)
  const terms = planned ?? { plan: running.plan, period: running.period, price: running.price }
  const anchorOn = planned && planned.period !== running.period ? on : (row.anchorOn ?? running.from)
  const paid = periodFrom(anchorOn, terms.period, on)
  const lines = [{ label: planLabel(terms), ...paid, net: terms.price }]
  // The series go on from today: a document is never dated back.
  await issueBill(tx, deps, row, { kind: 'plan', title: planLabel(terms), lines, on: today(), by: BY })
  const values = { ...terms, anchorOn, paidFrom: paid.from, paidTo: paid.to, nextPlan: null, nextPeriod: null }
  const kind = planned ? 'applied' : row.nextPlan ? 'kept' : 'renewed'
  return move(tx, row, 'active', values, { kind, on, by: BY })
}

/** Brings a subscription to today: each period that has gone by is renewed and billed, changed as planned, or ended. */
export async function settle(tx: Db, deps: Pick<Deps, 'secrets'>, found: SubscriptionRow): Promise<SubscriptionRow> {
  let row = found
  for (let running = runningOf(row); running && running.to <= today(); running = runningOf(row))
    row =
      row.state === 'ending'
        ? await move(tx, row, 'ended', {}, { kind: 'ended', on: running.to, by: BY })
        : await renew(tx, deps, row, running)
  return row
}
