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
  const all = await figuresOverEach(db, actor, operationId, periods)
  return all.map((figures) => (isKnown(figures) ? totalsOf(figures, factors) : null))
}

/** The same of one period, whether anything is known of it or not. */
export async function totalsOver(
  db: Db,
  actor: Actor,
  factors: Factors,
  operationId: string | undefined,
  period: Period,
): Promise<Totals> {
  return totalsOf((await figuresOverEach(db, actor, operationId, [period])).flat(), factors)
}

async function figuresOverEach(db: Db, actor: Actor, operationId: string | undefined, periods: Period[]) {
  if (isWhole(actor, {})) return snapshot(db, (view) => keptOverEach(view, actor, operationId, periods))
  const members = await selectMembers(db, actor, { operationId })
  const cuts = cutEach(members, periods)
  const { run } = await runsOver(db, actor.companyId, cuts, periods)
  const read = await measured(db, actor.companyId, cuts.flat(), 'whole')
  return periods.map((_, nth) => assemble(members, { read, run }, nth))
}

async function keptOverEach(db: Db, actor: Actor, operationId: string | undefined, periods: Period[]) {
  const crews = await selectCrews(db, actor, { operationId })
  const both = await keptOver(db, actor.companyId, crews, periods, 'whole', groupsOf(crews))
  return periods.map((_, nth) => assemble(crews, both, nth))
}
