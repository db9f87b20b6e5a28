import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { TILLEULS } from '../../../world/ids.ts'
import { running } from '../../../world/plan.ts'
import { siteOver } from '../../../world/readings.ts'
import type { Scale } from '../../../world/scale.ts'
import { firstAdmin } from './actor.ts'
import { anchorOf } from './fill.ts'
import { fillBilling } from './fill-billing.ts'
import { fillCurves } from './fill-curves.ts'
import { fillParties } from './fill-parties.ts'
import { fillRuns } from './fill-runs.ts'
import { fillTariffs } from './fill-tariffs.ts'
import { buildStructure } from './structure.ts'

const MONTHS = 3
const HOMES = 6

const scaleOf = (anchor: string): Scale => ({
  anchor,
  startsOn: addMonths(monthOf(anchor), -MONTHS),
  homes: HOMES,
  whole: false,
})

/** On its papers and in every list it says what it is. */
const sayExample = (tx: Db, companyId: number, name: string) =>
  tx
    .update(operations)
    .set({ name: `${name} (exemple)` })
    .where(and(eq(operations.companyId, companyId), eq(operations.id, TILLEULS)))

type Options = { companyId: number; today: string; signal?: AbortSignal | undefined }

/** A small building over a few months, from its participants to its invoices. Cut short and called again, it goes on. */
export async function fillExample(deps: Deps, { companyId, today, signal }: Options): Promise<void> {
  const known = await anchorOf(deps.db, companyId)
  const plan = scaleOf(known ?? today)
  const actor = await firstAdmin(deps.db, companyId)
  if (!known)
    await transaction(deps.db, async (tx) => {
      await buildStructure({ ...deps, db: tx }, actor, plan)
      for (const { values } of running(plan)) await sayExample(tx, companyId, values.name)
    })
  await fillParties(deps, actor, plan)
  await fillTariffs(deps, actor, plan)
  for (const operation of running(plan)) {
    const filling = { companyId, actor, today: plan.anchor, site: siteOver(operation.values, plan.anchor), signal }
    await fillCurves(deps, operation, filling)
    await fillRuns(deps, operation, filling, (until) => fillBilling(deps, actor, operation, until, signal))
  }
}
