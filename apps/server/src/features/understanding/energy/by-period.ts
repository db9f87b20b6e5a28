import type { Totals } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { isWhole, selectCrews } from './crews.ts'
import { keptOver } from './kept-sums.ts'
import type { Period } from './period.ts'
import { selectMembers } from './scope.ts'
import { measured } from './sums.ts'
import { assemble, cutEach, type Factors, groupsOf, isKnown, runsOver, totalsOf } from './totals.ts'

/** The figures of an operation, or of all, in each of some periods; null where nothing is known of one. */
export async function totalsOverEach(
  db: Db,
  actor: Actor,
  factors: Factors,
  operationId: string | undefined,
  periods: Period[],
): Promise<(Totals | null)[]> {
  if (isWhole(actor, {})) return snapshot(db, (view) => keptOverEach(view, actor, factors, operationId, periods))
  const members = await selectMembers(db, actor, { operationId })
  const cuts = cutEach(members, periods)
  const { run } = await runsOver(db, actor.companyId, cuts, periods)
  const read = await measured(db, actor.companyId, cuts.flat(), 'whole')
  return periods.map((_, nth) => {
    const figures = assemble(members, { read, run }, nth)
    return isKnown(figures) ? totalsOf(figures, factors) : null
  })
}

async function keptOverEach(
  db: Db,
  actor: Actor,
  factors: Factors,
  operationId: string | undefined,
  periods: Period[],
) {
  const crews = await selectCrews(db, actor, { operationId })
  const both = await keptOver(db, actor.companyId, crews, periods, 'whole', groupsOf(crews))
  return periods.map((_, nth) => {
    const figures = assemble(crews, both, nth)
    return isKnown(figures) ? totalsOf(figures, factors) : null
  })
}
