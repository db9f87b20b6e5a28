import { NEXT_STATES, type SubscriptionState } from '@voisol/contract/subscription'
import type { PlanChange } from '@voisol/contract/subscription-words'
import { eq, sql } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { subscriptionChanges, subscriptions } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { getPlanPeriod, parsePlan, type SubscriptionRow } from './find.ts'

type ChangeRecord = { kind: PlanChange['kind']; on: string; by: string }
type SubscriptionValues = Partial<Omit<SubscriptionRow, 'companyId' | 'state' | 'version'>>

function requireAllowedTransition(from: string, to: SubscriptionState) {
  // The column has a CHECK constraint.
  if (from !== to && !NEXT_STATES[from as SubscriptionState].includes(to)) throw new AppError('invalid-transition')
}

/** The only way to change a subscription: writes its state, its values, its history line and its event together. */
export async function changeSubscription(
  tx: Db,
  row: SubscriptionRow,
  to: SubscriptionState,
  values: SubscriptionValues,
  change: ChangeRecord,
) {
  requireAllowedTransition(row.state, to)
  const [after] = await tx
    .update(subscriptions)
    .set({ ...values, state: to, version: sql`${subscriptions.version} + 1` })
    .where(eq(subscriptions.companyId, row.companyId))
    .returning()
  if (!after) throw new AppError('not-found')
  await recordSubscriptionChange(tx, after, change)
  return after
}

async function recordSubscriptionChange(tx: Db, row: SubscriptionRow, { kind, on, by }: ChangeRecord) {
  const { companyId } = row
  const plan = row.nextPlan && kind === 'planned' ? row.nextPlan : parsePlan(row)
  const period = row.nextPeriod && kind === 'planned' ? row.nextPeriod : getPlanPeriod(row)
  if (!plan) return
  const [line] = await tx.insert(subscriptionChanges).values({ companyId, on, kind, plan, period, by }).returning()
  if (!line) throw new AppError('conflict')
  // The columns have CHECK constraints.
  const data = { kind, on, plan, period } as { kind: typeof kind; on: string; plan: 'starter'; period: 'month' }
  await recordEvent(tx, { companyId, name: 'subscription.changed', object: line.id, data })
}
