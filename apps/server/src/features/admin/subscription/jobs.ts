import { TRIAL_WARNINGS } from '@voisol/contract/plan-prices'
import { and, eq, inArray, isNotNull, lte, or } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, transaction } from '../../../db/client.ts'
import { companies, subscriptionAddOns, subscriptions } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { defineJob } from '../../../jobs/job.ts'
import { getToday, toParisDay } from '../../../today.ts'
import { renewOrEndAddOns } from './add-ons.ts'
import { renewOrEndSubscription } from './change-plan.ts'
import { lockSubscription } from './find-subscription.ts'

const DAY_MS = 86_400_000

/** The nearest warning day before the end of a trial: a missed warning is merged with the next one. */
export function getTrialWarning(endsAt: Date, now: number): number | undefined {
  const left = Math.ceil((endsAt.getTime() - now) / DAY_MS)
  return left < 1 ? undefined : TRIAL_WARNINGS.findLast((days) => left <= days)
}

async function recordTrialWarnings(db: Db) {
  const rows = await db
    .select({ companyId: subscriptions.companyId, endsAt: companies.trialEndsAt })
    .from(subscriptions)
    .innerJoin(companies, eq(companies.id, subscriptions.companyId))
    .where(
      and(
        eq(subscriptions.held, true),
        eq(subscriptions.state, 'trial'),
        eq(companies.keepsSite, false),
        isNotNull(companies.trialEndsAt),
      ),
    )
  for (const { companyId, endsAt } of rows) {
    const daysLeft = endsAt ? getTrialWarning(endsAt, Date.now()) : undefined
    if (!endsAt || !daysLeft) continue
    const lastDay = toParisDay(endsAt)
    const once = `${lastDay} ${daysLeft}`
    await recordEvent(db, {
      companyId,
      name: 'trial.warned',
      object: String(companyId),
      data: { daysLeft, lastDay },
      once,
    })
  }
}

const listDueCompanies = async (db: Db) => {
  const addOns = db
    .select({ id: subscriptionAddOns.companyId })
    .from(subscriptionAddOns)
    .where(and(inArray(subscriptionAddOns.state, ['running', 'ending']), lte(subscriptionAddOns.paidTo, getToday())))
  return db
    .select({ companyId: subscriptions.companyId })
    .from(subscriptions)
    .innerJoin(companies, eq(companies.id, subscriptions.companyId))
    .where(
      and(
        eq(subscriptions.held, true),
        eq(companies.keepsSite, false),
        or(
          and(inArray(subscriptions.state, ['active', 'ending']), lte(subscriptions.paidTo, getToday())),
          inArray(subscriptions.companyId, addOns),
        ),
      ),
    )
    .orderBy(subscriptions.companyId)
}

/** Processes each company separately: an error in one does not block the others, and is retried the next day. */
async function renewOrEndAllDue(deps: Deps) {
  let failed: unknown
  for (const { companyId } of await listDueCompanies(deps.db))
    await transaction(deps.db, async (tx) => {
      const row = await renewOrEndSubscription(tx, deps, await lockSubscription(tx, companyId))
      await renewOrEndAddOns(tx, deps, row)
    }).catch((error: unknown) => {
      deps.log.error(error, 'a subscription could not be settled')
      failed = error
    })
  if (failed) throw failed
}

export const subscriptionJobs = {
  /** Runs early each day: renews, changes or ends periods, and warns of ending trials. */
  'subscription.daily': defineJob({
    input: z.object({}),
    cron: '10 5 * * *',
    async run(deps) {
      await recordTrialWarnings(deps.db)
      await renewOrEndAllDue(deps)
    },
  }),
}
