import type { AnalyticsMeasure } from '@voisol/contract/analytics'
import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { chooseFinestGranularity, getCoarserGranularity, MAX_DAYS_BY_GRANULARITY } from '@voisol/contract/granularity'
import { daysBetween } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type EnergyColumns, toEnergySeries } from './buckets.ts'
import { listParticipationGroups, type ParticipationGroup, readsWholeOperations } from './crews.ts'
import { loadMemberDayColumns, loadRollupDayColumns } from './day-columns.ts'
import { getHourPart } from './hour-pack.ts'
import { loadRollupStepColumns } from './kept-steps.ts'
import { type Period, requirePeriod } from './period.ts'
import { listReadableMembers, type Member, type MemberSelection } from './scope.ts'
import { loadMemberStepColumns } from './step-columns.ts'

export type SeriesQuery = Period & MemberSelection & { granularity: Granularity }

export const loadMemberColumns = (
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  granularity: Granularity,
): Promise<EnergyColumns> =>
  granularity === 'day' || granularity === 'month'
    ? loadMemberDayColumns(db, companyId, members, period, granularity)
    : loadMemberStepColumns(db, companyId, members, period, granularity)

/** The same for whole operations, from rollups. */
export const loadRollupColumns = (
  db: Db,
  companyId: number,
  participationGroups: ParticipationGroup[],
  period: Period,
  granularity: Granularity,
  parts?: number[],
): Promise<EnergyColumns> =>
  granularity === 'day' || granularity === 'month'
    ? loadRollupDayColumns(db, companyId, participationGroups, period, granularity)
    : loadRollupStepColumns(db, companyId, participationGroups, period, granularity, parts)

/** The columns behind each curve that can be requested alone. */
const PARTS_BY_MEASURE: Record<AnalyticsMeasure, number[]> = {
  produced: [getHourPart('production', 'read'), getHourPart('production', 'known')],
  consumed: [getHourPart('consumption', 'read'), getHourPart('consumption', 'known')],
  allocated: [getHourPart('consumption', 'local'), getHourPart('consumption', 'held')],
  surplus: [getHourPart('production', 'rest'), getHourPart('production', 'heldRest')],
  complement: [getHourPart('consumption', 'rest'), getHourPart('consumption', 'heldRest')],
}

/** With `only`, other columns may be unknown: a year of forty operations is not read for one curve. */
export async function loadEnergySeries(
  db: Db,
  actor: Actor,
  query: SeriesQuery,
  only?: AnalyticsMeasure[],
): Promise<EnergySeries> {
  const { granularity } = query
  const period = requirePeriod(query, MAX_DAYS_BY_GRANULARITY[granularity])
  if (readsWholeOperations(actor, query)) {
    const participationGroups = await listParticipationGroups(db, actor, query)
    const parts = only?.flatMap((measure) => PARTS_BY_MEASURE[measure])
    return toEnergySeries(
      await loadRollupColumns(db, actor.companyId, participationGroups, period, granularity, parts),
      granularity,
    )
  }
  const members = await listReadableMembers(db, actor, query)
  return toEnergySeries(await loadMemberColumns(db, actor.companyId, members, period, granularity), granularity)
}

/** For a chart of that width: never more points than pixels. */
export function loadEnergyChartSeries(db: Db, actor: Actor, query: SeriesQuery & { width?: number | undefined }) {
  const { width, granularity: requestedGranularity, ...selection } = query
  const { from, to } = requirePeriod(query)
  const granularity =
    width === undefined
      ? requestedGranularity
      : getCoarserGranularity(requestedGranularity, chooseFinestGranularity(daysBetween(from, to), width))
  return loadEnergySeries(db, actor, { ...selection, granularity })
}
