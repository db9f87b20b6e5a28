import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { listParticipationGroups, readsWholeOperations } from './crews.ts'
import { readRollups } from './kept-sums.ts'
import type { Period } from './period.ts'
import { listReadableMembers } from './scope.ts'
import { loadReadingSums } from './sums.ts'
import {
  buildMemberPeriodsByPeriod,
  buildOperationFigures,
  type Co2Factors,
  computeEnergyTotals,
  createPeriodGroupResolver,
  hasAnyEnergy,
  loadRunSumsByPeriod,
} from './totals.ts'

/** The figures of one or all operations for several periods; null for a period without data. */
export async function loadEnergyTotalsByPeriod(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  operationId: string | undefined,
  periods: Period[],
): Promise<(PeriodEnergyTotals | null)[]> {
  const all = await loadFiguresByPeriod(db, actor, operationId, periods)
  return all.map((figures) => (hasAnyEnergy(figures) ? computeEnergyTotals(figures, factors) : null))
}

/** The figures of one period, even without data. */
export async function loadEnergyTotals(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  operationId: string | undefined,
  period: Period,
): Promise<PeriodEnergyTotals> {
  return computeEnergyTotals((await loadFiguresByPeriod(db, actor, operationId, [period])).flat(), factors)
}

async function loadFiguresByPeriod(db: Db, actor: Actor, operationId: string | undefined, periods: Period[]) {
  if (readsWholeOperations(actor, {}))
    return readSnapshot(db, (view) => loadRollupFiguresByPeriod(view, actor, operationId, periods))
  const members = await listReadableMembers(db, actor, { operationId })
  const periodsByNth = buildMemberPeriodsByPeriod(members, periods)
  const { run } = await loadRunSumsByPeriod(db, actor.companyId, periodsByNth, periods)
  const read = await loadReadingSums(db, actor.companyId, periodsByNth.flat(), 'whole')
  return periods.map((_, nth) => buildOperationFigures(members, { read, run }, nth))
}

async function loadRollupFiguresByPeriod(db: Db, actor: Actor, operationId: string | undefined, periods: Period[]) {
  const participationGroups = await listParticipationGroups(db, actor, { operationId })
  const rollups = await readRollups(
    db,
    actor.companyId,
    participationGroups,
    periods,
    'whole',
    createPeriodGroupResolver(participationGroups),
  )
  return periods.map((_, nth) => buildOperationFigures(participationGroups, rollups, nth))
}
