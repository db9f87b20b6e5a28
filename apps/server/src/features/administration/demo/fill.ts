import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies, operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toParisDay } from '../../../today.ts'
import { TILLEULS_ID } from '../../../world/ids.ts'
import { buildRunningOperations } from '../../../world/plan.ts'
import { createReadingSite } from '../../../world/readings.ts'
import { createFullScale, type DemoScale } from '../../../world/scale.ts'
import { loadFirstAdmin } from './actor.ts'
import { fillBank } from './fill-bank.ts'
import { fillBilling, settleCorrections } from './fill-billing.ts'
import { fillBooks } from './fill-books.ts'
import { fillCash } from './fill-cash.ts'
import { fillConnections } from './fill-connections.ts'
import { applyEarlyCorrections, fillCurves } from './fill-curves.ts'
import { fillForecasts } from './fill-forecasts.ts'
import { fillIncidents } from './fill-incidents.ts'
import { fillInsights } from './fill-insights.ts'
import { fillJoining } from './fill-joining.ts'
import { fillKeys } from './fill-keys.ts'
import { fillMessages } from './fill-messages.ts'
import { fillOnline } from './fill-online.ts'
import { fillParties } from './fill-parties.ts'
import { fillRegulatory } from './fill-regulatory.ts'
import { fillFlowRules } from './fill-rules.ts'
import { fillRuns } from './fill-runs.ts'
import { fillSso } from './fill-sso.ts'
import { fillSupport } from './fill-support.ts'
import { fillTariffs } from './fill-tariffs.ts'
import { buildStructure } from './structure.ts'

type FillTotals = { days: number; runs: number }
type FillDemoOptions = {
  companyId: number
  today: string
  scale?: (anchor: string) => DemoScale
  signal?: AbortSignal | undefined
}

/** The day on which the demo was built, once it is complete. */
export async function findDemoDay(db: Db, companyId: number): Promise<string | undefined> {
  const where = and(eq(operations.companyId, companyId), eq(operations.id, TILLEULS_ID))
  const [row] = await db.select({ createdAt: operations.createdAt }).from(operations).where(where)
  return row && toParisDay(row.createdAt)
}

/** The oldest company marked as demo: the demo data belongs to it alone. */
export async function findDemoCompany(db: Db): Promise<number | undefined> {
  const [row] = await db
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.isDemo, true))
    .orderBy(asc(companies.id))
    .limit(1)
  return row?.id
}

/**
 * Brings the data of the demo company up to yesterday. Each part is committed as soon as it is built and built only
 * once: an interrupted fill resumes and ends with the same data, and a complete one changes nothing.
 */
export async function fillDemo(
  deps: Deps,
  { companyId, today, scale = createFullScale, signal }: FillDemoOptions,
): Promise<FillTotals> {
  const known = await findDemoDay(deps.db, companyId)
  const plan = scale(known ?? today)
  const actor = await loadFirstAdmin(deps.db, companyId)
  if (!known) await buildStructure(deps, actor, plan)
  await fillParties(deps, actor, plan)
  await fillTariffs(deps, actor, plan)
  const filled: FillTotals = { days: 0, runs: 0 }
  const forecasting: Promise<void>[] = []
  try {
    for (const operation of buildRunningOperations(plan)) {
      const filling = { companyId, actor, today, site: createReadingSite(operation.values, plan.anchor), signal }
      filled.days += await fillCurves(deps, operation, filling)
      await applyEarlyCorrections(deps, operation, filling)
      // Worker threads fit the forecast models while the months are computed and billed.
      const forecast = fillForecasts(deps, actor, operation, today, signal)
      forecast.catch(() => {}) // the error is thrown where it is awaited
      forecasting.push(forecast)
      const bill = (until: string) => fillBilling(deps, actor, operation, until, signal)
      filled.runs += await fillRuns(deps, operation, filling, bill)
      await settleCorrections(deps, actor, operation)
    }
  } catch (error) {
    // Waits for the background work, so that nothing goes on after an abort.
    await Promise.allSettled(forecasting)
    throw error
  }
  await fillRegulatory(deps, actor)
  await fillBank(deps, actor, today)
  await fillCash(deps, actor, today)
  await fillOnline(deps, actor, today)
  await fillSso(deps, actor)
  await fillBooks(deps, actor, plan.anchor)
  await fillKeys(deps, actor)
  await fillConnections(deps, actor)
  await fillFlowRules(deps, actor)
  await fillIncidents(deps, companyId)
  await fillSupport(deps, actor, today)
  await fillMessages(deps, actor, today)
  await fillJoining(deps, actor)
  await fillInsights(deps, companyId, buildRunningOperations(plan), signal)
  await Promise.all(forecasting)
  return filled
}

/** Corrects the invoices that the distributor's figures proved wrong. */
export async function settleAllCorrections(deps: Deps, companyId: number): Promise<void> {
  const actor = await loadFirstAdmin(deps.db, companyId)
  const anchor = await findDemoDay(deps.db, companyId)
  if (anchor)
    for (const operation of buildRunningOperations(createFullScale(anchor)))
      await settleCorrections(deps, actor, operation)
}
