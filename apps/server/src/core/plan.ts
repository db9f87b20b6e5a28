import { PLANS, TRIAL_DAYS, TRIAL_PLAN } from '@voisol/contract/plan-prices'
import { PlanName } from '@voisol/contract/plan-schemas'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { companies, subscriptionAddOns, subscriptions } from '../db/schema/index.ts'
import { AppError } from '../http/errors.ts'
import { getToday } from '../today.ts'

/** A point counts from the day its entry is recorded until the day it has left. */
const isPointCountedSql = (day: string) => sql`(p.ends_on is null or p.ends_on > ${day}::date)`

/** The points that a company uses, as counted by its plan, for display and refusals alike. */
export async function countUsedPoints(db: Db, companyId: number): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(distinct p.point_id)::int as n from participations p
     where p.company_id = ${companyId} and ${isPointCountedSql(getToday())}`)
  return rows[0]?.n ?? 0
}

/** Points of some participations that would not be counted without them. */
async function countAddedPoints(db: Db, companyId: number, participationIds: string[]): Promise<number> {
  const ids = sql`${sql.param(participationIds)}::uuid[]`
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(distinct p.point_id)::int as n from participations p
     where p.company_id = ${companyId} and p.id = any(${ids}) and ${isPointCountedSql(getToday())}
       and not exists (select 1 from participations o
          where o.company_id = p.company_id and o.point_id = p.point_id and not (o.id = any(${ids}))
            and (o.ends_on is null or o.ends_on > ${getToday()}::date))`)
  return rows[0]?.n ?? 0
}

/** The number of points in a plan; a trial has that of the plan it tries. Null: unlimited. */
export const getPlanPointsLimit = (plan: string | null): number | null =>
  PLANS[PlanName.safeParse(plan).data ?? TRIAL_PLAN].points

/** The subscription that limits a company, unless the operator sells none or the company runs the installation. */
const bindingSubscription = (companyId: number) =>
  and(
    eq(subscriptions.companyId, companyId),
    eq(subscriptions.held, true),
    sql`not exists (select 1 from ${companies} c where c.id = ${companyId} and c.keeps_site)`,
  )

/** The largest number of points a company may use now; null without a limit. */
export async function loadPointsLimit(db: Db, companyId: number): Promise<number | null> {
  const [row] = await db.select({ plan: subscriptions.plan }).from(subscriptions).where(bindingSubscription(companyId))
  return row ? getPlanPointsLimit(row.plan) : null
}

function formatPlanName(plan: string | null) {
  const known = PlanName.safeParse(plan).data
  return known ? `La formule ${PLANS[known].name}` : 'L’essai gratuit'
}

/**
 * Refuses a write that exceeds the points of the plan. The plan row is locked until the transaction ends, so that of
 * two writes the second counts the first. Existing participations continue, whatever the plan.
 */
export async function requirePointsWithinPlan(tx: Db, companyId: number, participationIds: string[]): Promise<void> {
  const [row] = await tx
    .select({ plan: subscriptions.plan })
    .from(subscriptions)
    .where(bindingSubscription(companyId))
    .for('update')
  const limit = row ? getPlanPointsLimit(row.plan) : null
  if (limit === null) return
  const used = await countUsedPoints(tx, companyId)
  if (used <= limit) return
  const added = await countAddedPoints(tx, companyId, participationIds)
  if (added === 0) return
  const before = used - added
  throw new AppError('points-limit', {
    message: `${formatPlanName(row?.plan ?? null)} comprend ${limit} points de mesure\u00a0: ${before} ${before > 1 ? 'sont utilisés' : 'est utilisé'}, et cet ajout en demanderait ${used}. Passez à la formule suivante dans «\u00a0Abonnement\u00a0», ou faites d’abord sortir un point. Ce qui tourne déjà continue.`,
  })
}

/** Whether the company pays for priority support. */
export async function hasPrioritySupport(db: Db, companyId: number): Promise<boolean> {
  const running = and(
    eq(subscriptionAddOns.companyId, companyId),
    eq(subscriptionAddOns.kind, 'priority'),
    inArray(subscriptionAddOns.state, ['running', 'ending']),
  )
  return (await db.$count(subscriptionAddOns, running)) > 0
}

/** Where subscriptions are sold, a new company starts with a trial. */
export const startTrialSubscription = (tx: Db, companyId: number) =>
  tx.insert(subscriptions).values({ companyId }).onConflictDoNothing()

/**
 * Applies the operator's choice at each start. When subscriptions begin to be sold, existing companies get a whole
 * trial from that day; when they stop, nothing is limited and nothing is deleted.
 */
export async function enforceSubscriptions(db: Db, sold: boolean): Promise<void> {
  await db.execute(sql`update subscriptions set held = ${sold} where held <> ${sold}`)
  if (!sold) return
  await db.execute(sql`
    with opened as (
      insert into subscriptions (company_id)
      select c.id from companies c
       where not c.keeps_site and not c.is_demo and c.example_of is null and exists (select 1 from companies k where k.keeps_site)
          on conflict do nothing returning company_id)
    update companies c set trial_ends_at = greatest(c.trial_ends_at, now() + make_interval(days => ${TRIAL_DAYS}))
      from opened where opened.company_id = c.id`)
}
