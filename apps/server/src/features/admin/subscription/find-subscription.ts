import type { PlanPeriod } from '@voisol/contract/plan-prices'
import { PlanName } from '@voisol/contract/plan-schemas'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies, subscriptions } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { RunningPlan } from './quote.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect

export async function findSubscription(db: Db, companyId: number): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.companyId, companyId))
  return row?.held ? row : undefined
}

/** Locks the subscription until the end of the transaction, so that concurrent choices run one after the other. */
export async function lockSubscription(tx: Db, companyId: number): Promise<SubscriptionRow> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.companyId, companyId)).for('update')
  if (!row?.held) throw new AppError('not-found')
  return row
}

export async function loadCompanyRow(db: Db, companyId: number) {
  const [row] = await db.select().from(companies).where(eq(companies.id, companyId))
  if (!row) throw new AppError('not-found')
  return row
}

/** Null for a plan that is not sold: rows older than the CHECK constraint may name one. */
export const parsePlan = ({ plan }: Pick<SubscriptionRow, 'plan'>) => PlanName.safeParse(plan).data ?? null
// The column has a CHECK constraint.
export const getPlanPeriod = ({ period }: SubscriptionRow) => period as PlanPeriod

/** The paid plan in progress; null during a trial and after the end. */
export function findRunningPlan(row: SubscriptionRow): RunningPlan | null {
  const plan = parsePlan(row)
  if (!plan || row.price === null || !row.paidFrom || !row.paidTo || row.state === 'ended') return null
  return { plan, period: getPlanPeriod(row), price: row.price, from: row.paidFrom, to: row.paidTo }
}
