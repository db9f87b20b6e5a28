import type { EnergySummary } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { listParticipationGroups, type ParticipationGroup, SIDE_COUNT } from './crews.ts'
import { loadLastDayOfOperations } from './kept-last-day.ts'
import { readRollups } from './kept-sums.ts'
import { compareWithNeighbours } from './neighbours.ts'
import type { Period } from './period.ts'
import {
  buildMemberPeriods,
  listOperationIds,
  listRunsInForceByPeriod,
  type MemberPeriod,
  type RunInForce,
  splitByRun,
} from './pieces.ts'
import { countEstimatedReadings, loadLastDayOfMembers } from './received.ts'
import { listMembersOfPoints, listReadableMembers, type Member, type MemberSelection } from './scope.ts'
import { type AllocationSum, countAllocatedSteps, type GroupedSums, loadReadingSums, type ReadingSum } from './sums.ts'
import { listPointsWithGaps, listSuspendedMembers } from './suspended.ts'
import { buildMemberPeriodsByPeriod, createPeriodGroupResolver, loadRunSumsByPeriod } from './totals.ts'

type SummaryQuery = Period & MemberSelection
/** The data of a summary, from rollups or from points. */
export type SummaryData = {
  members: ParticipationGroup[]
  cuts: MemberPeriod[][]
  read: GroupedSums<ReadingSum>
  run: GroupedSums<AllocationSum>
  held: RunInForce[]
  counted: { allocated: number; excluded: number }
  estimated: number
  suspended: EnergySummary['suspended']
  last: string | null
  neighbours: EnergySummary['neighbours']
}

/** Loads it from the days of some points. */
export async function loadSummaryOfMembers(
  db: Db,
  actor: Actor,
  query: SummaryQuery,
  periods: Period[],
): Promise<SummaryData> {
  const members = await listReadableMembers(db, actor, query)
  const cuts = buildMemberPeriodsByPeriod(members, periods)
  const [allocationData, readingData] = await Promise.all([
    loadAllocationData(db, actor, cuts, periods, members),
    loadReadingData(db, actor, cuts, members, query),
  ])
  return { members, cuts, ...allocationData, ...readingData }
}

/** Run results of all periods, and for the first one the step counts and suspended members. */
const loadAllocationData = (
  db: Db,
  { companyId }: Actor,
  cuts: MemberPeriod[][],
  periods: Period[],
  members: Member[],
) =>
  readSnapshot(db, async (view) => {
    const { runs, run } = await loadRunSumsByPeriod(view, companyId, cuts, periods)
    const { held = [], under = [] } = runs[0] ?? {}
    const counted = await countAllocatedSteps(view, companyId, under)
    return { run, held, counted, suspended: await listSuspendedMembers(view, companyId, under, members) }
  })

// Sequential: with the runs this uses two connections, and a third would be one more.
async function loadReadingData(db: Db, actor: Actor, cuts: MemberPeriod[][], members: Member[], query: SummaryQuery) {
  const { companyId } = actor
  return {
    read: await loadReadingSums(db, companyId, cuts.flat(), 'whole'),
    estimated: await countEstimatedReadings(db, companyId, cuts[0] ?? []),
    last: await loadLastDayOfMembers(db, companyId, members),
    neighbours: await readSnapshot(db, (view) => compareWithNeighbours(view, actor, members, query)),
  }
}

/** Loads it from rollups in one snapshot, so that marks and rollups are consistent. */
export const loadSummaryFromRollups = (
  db: Db,
  actor: Actor,
  query: SummaryQuery,
  periods: Period[],
): Promise<SummaryData> =>
  readSnapshot(db, async (view) => {
    const { companyId } = actor
    const members = await listParticipationGroups(view, actor, query)
    const cuts = buildMemberPeriodsByPeriod(members, periods)
    const ids = listOperationIds(members)
    const rollups = await readRollups(view, companyId, members, periods, 'whole', createPeriodGroupResolver(members))
    const presentOperationIds = new Set(listOperationIds(cuts[0] ?? []))
    const [first = []] = await listRunsInForceByPeriod(view, companyId, ids, periods.slice(0, 1))
    const runsInForce = first.filter(({ operationId }) => presentOperationIds.has(operationId))
    // The groups of the first period come first.
    const listFirstPeriodSums = <T>(sums: GroupedSums<T>) =>
      [...sums].flatMap(([group, of]) => (group < ids.length * SIDE_COUNT ? [...of.values()] : []))
    const sum = <T>(all: T[], value: (one: T) => number) => all.reduce((total, one) => total + value(one), 0)
    const shared = listFirstPeriodSums(rollups.run)
    const excluded = sum(shared, (one) => one.excluded)
    return {
      members,
      cuts,
      ...rollups,
      held: runsInForce,
      counted: { allocated: sum(shared, ({ steps }) => steps) - excluded, excluded },
      estimated: sum(listFirstPeriodSums(rollups.read), (one) => one.estimated),
      suspended: await loadSuspendedFromRuns(view, companyId, runsInForce, query),
      last: await loadLastDayOfOperations(view, companyId, ids),
      neighbours: null,
    }
  })

/** Only points with gaps in a run are read one by one. */
async function loadSuspendedFromRuns(view: Db, companyId: number, held: RunInForce[], period: Period) {
  const points = await listPointsWithGaps(view, companyId, held)
  if (!points.length) return []
  const members = await listMembersOfPoints(view, companyId, listOperationIds(held), points)
  return listSuspendedMembers(
    view,
    companyId,
    splitByRun(
      buildMemberPeriods(members, period, () => 0),
      held,
    ),
    members,
  )
}
