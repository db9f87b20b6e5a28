import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { TILLEULS_ID } from '../../../world/ids.ts'
import { buildRunningOperations } from '../../../world/plan.ts'
import { createReadingSite } from '../../../world/readings.ts'
import type { DemoScale } from '../../../world/scale.ts'
import { loadFirstAdmin } from './actor.ts'
import { findDemoDay } from './fill.ts'
import { fillBilling } from './fill-billing.ts'
import { fillCurves } from './fill-curves.ts'
import { fillParties } from './fill-parties.ts'
import { fillRuns } from './fill-runs.ts'
import { fillTariffs } from './fill-tariffs.ts'
import { buildStructure } from './structure.ts'

const EXAMPLE_MONTHS = 3
const EXAMPLE_HOMES = 6

const buildExampleScale = (anchor: string): DemoScale => ({
  anchor,
  startsOn: addMonths(monthOf(anchor), -EXAMPLE_MONTHS),
  homes: EXAMPLE_HOMES,
  whole: false,
})

/** Marks documents and lists as belonging to an example. */
const markAsExample = (tx: Db, companyId: number, name: string) =>
  tx
    .update(operations)
    .set({ name: `${name} (exemple)` })
    .where(and(eq(operations.companyId, companyId), eq(operations.id, TILLEULS_ID)))

type FillExampleOptions = { companyId: number; today: string; signal?: AbortSignal | undefined }

/** Fills a small building over a few months, from its participants to its invoices. Resumes when interrupted. */
export async function fillExample(deps: Deps, { companyId, today, signal }: FillExampleOptions): Promise<void> {
  const known = await findDemoDay(deps.db, companyId)
  const plan = buildExampleScale(known ?? today)
  const actor = await loadFirstAdmin(deps.db, companyId)
  if (!known)
    await transaction(deps.db, async (tx) => {
      await buildStructure({ ...deps, db: tx }, actor, plan)
      for (const { values } of buildRunningOperations(plan)) await markAsExample(tx, companyId, values.name)
    })
  await fillParties(deps, actor, plan)
  await fillTariffs(deps, actor, plan)
  for (const operation of buildRunningOperations(plan)) {
    const filling = {
      companyId,
      actor,
      today: plan.anchor,
      site: createReadingSite(operation.values, plan.anchor),
      signal,
    }
    await fillCurves(deps, operation, filling)
    await fillRuns(deps, operation, filling, (until) => fillBilling(deps, actor, operation, until, signal))
  }
}
