import type { EnergySummary } from '@voisol/contract/energy'
import type { SuspendedMeter } from '@voisol/contract/primitives'
import { computeRates } from '@voisol/energy/metrics'
import { sql } from 'drizzle-orm'
import { loadPortalDisplay } from '../../../core/company-state.ts'
import { clipGaps, countGapDays, countGapSteps, type DayGap } from '../../../core/readings.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { listParticipantsWithConsent } from '../../energy/consents/index.ts'
import {
  type AllocationSum,
  countAllocatedSteps,
  type GroupedSums,
  loadAllocationSums,
  loadReadingSums,
  type ReadingSum,
} from './energy-sums.ts'
import {
  buildMemberPeriodsByPeriod,
  buildOperationFigures,
  type Co2Factors,
  computeEnergyTotals,
  createPeriodGroupResolver,
  hasAnyEnergy,
  loadPeriodData,
  loadRunSumsByPeriod,
  type OperationFigures,
} from './energy-totals.ts'
import {
  listMembersOfOperations,
  listMembersOfPoints,
  listParticipationGroups,
  listReadableMembers,
  type Member,
  type MemberSelection,
  type ParticipationGroup,
  readsWholeOperations,
  SIDE_COUNT,
  toSqlArray,
} from './member-scope.ts'
import type { MemberRunPeriod } from './periods.ts'
import {
  buildMemberPeriods,
  getPeriodLastYear,
  getPreviousPeriod,
  groupByOperation,
  listOperationIds,
  listRunsInForceByPeriod,
  type MemberPeriod,
  maxDay,
  minDay,
  type Period,
  type RunInForce,
  requirePeriod,
  splitByRun,
} from './periods.ts'
import {
  computeReceivedUntil,
  countEstimatedReadings,
  countExpectedSteps,
  loadLastDayOfMembers,
  loadLastDaysByOperation,
} from './received-readings.ts'
import { readRollups } from './rollup-read.ts'

type SummaryQuery = Period & MemberSelection

export async function loadEnergySummary(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: SummaryQuery,
): Promise<EnergySummary> {
  const period = requirePeriod(query)
  const periods = [period, getPreviousPeriod(period), getPeriodLastYear(period)]
  const data = await (readsWholeOperations(actor, query) ? loadSummaryFromRollups : loadSummaryOfMembers)(
    db,
    actor,
    query,
    periods,
  )
  const { members, cuts, held } = data
  const [figures = [], previous = [], lastYear = []] = periods.map((_, nth) =>
    buildOperationFigures(members, data, nth),
  )
  const toPastTotals = (own: OperationFigures[]) => (hasAnyEnergy(own) ? computeEnergyTotals(own, factors) : null)
  return {
    from: period.from,
    to: period.to,
    current: computeEnergyTotals(figures, factors),
    previous: toPastTotals(previous),
    lastYear: toPastTotals(lastYear),
    steps: { ...countReceivedSteps(members, cuts[0] ?? [], figures), ...data.counted, estimated: data.estimated },
    suspended: data.suspended,
    receivedUntil: computeReceivedUntil(data.last),
    stale: held.some((own) => own.stale),
    definitive: isPeriodDefinitive(members, period, held),
    co2: {
      gridGramsPerKwh: factors.CO2_GRID_GRAMS,
      solarGramsPerKwh: factors.CO2_SOLAR_GRAMS,
      source: factors.CO2_SOURCE,
    },
    neighbours: data.neighbours,
  }
}

/** Steps expected so far, and steps received. */
function countReceivedSteps(members: ParticipationGroup[], pieces: MemberPeriod[], figures: OperationFigures[]) {
  const read = figures.flatMap((own) => Object.values(own.read))
  const total = (value: (own: ReadingSum) => number) => read.reduce((sum, own) => sum + value(own), 0)
  const receivedDays = { days: total(({ days }) => days), expected: total(({ expected }) => expected) }
  const steps = new Map(members.map((member) => [member.operationId, member.step]))
  return { expected: countExpectedSteps(pieces, steps, receivedDays), received: total(({ present }) => present) }
}

const sumDuration = (held: RunInForce[]) =>
  held.reduce((days, { from, to }) => days + (Date.parse(to) - Date.parse(from)), 0)

/** Whether every day with a member is covered by a definitive run; runs before or after do not count. */
export function isPeriodDefinitive(members: ParticipationGroup[], period: Period, held: RunInForce[]): boolean {
  if (!held.some(({ definitive }) => definitive)) return false
  const runs = groupByOperation(held)
  return [...groupByOperation(members)].every(([id, groups]) => {
    const memberPeriods = buildMemberPeriods(groups, period, () => 0)
    if (!memberPeriods.length) return true
    const first = memberPeriods.reduce((min, { lo }) => (lo < min ? lo : min), period.to)
    const last = memberPeriods.reduce((max, { hi }) => (hi > max ? hi : max), period.from)
    const own = (runs.get(id) ?? [])
      .map((one) => ({ ...one, from: maxDay(one.from, first), to: minDay(one.to, last) }))
      .filter(({ from, to }) => from < to)
    return own.every(({ definitive }) => definitive) && sumDuration(own) >= Date.parse(last) - Date.parse(first)
  })
}

/** The data of a summary, from rollups or from points. */
type SummaryData = {
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
async function loadSummaryOfMembers(
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

type RunGapsRow = { runId: string; pointId: string; gaps: DayGap[] }

const MAX_LISTED_SUSPENDED = 50

/** Members without a value in the runs in force, for these days only; those with the most gaps first. */
async function listSuspendedMembers(db: Db, companyId: number, under: MemberRunPeriod[], members: Member[]) {
  if (!under.length) return []
  const { rows } = await db.execute<RunGapsRow>(sql`
    select r.id as "runId", m->>'pointId' as "pointId", m->'gaps' as gaps
      from allocation_runs r cross join lateral jsonb_array_elements(r.completeness->'members') m
     where r.company_id = ${companyId} and r.id = any(${toSqlArray([...new Set(under.map(({ runId }) => runId))])}::uuid[])
       and (m->>'missing')::int > 0`)
  const gapsByRunAndPoint = new Map(rows.map(({ runId, pointId, gaps }) => [`${runId} ${pointId}`, gaps]))
  const gaps = new Map<string, DayGap[]>()
  for (const { runId, pointId, lo, hi } of under) {
    const own = clipGaps(gapsByRunAndPoint.get(`${runId} ${pointId}`) ?? [], lo, hi)
    if (own.length) gaps.set(pointId, [...(gaps.get(pointId) ?? []), ...own])
  }
  const membersByPoint = new Map(members.map((member) => [member.pointId, member]))
  return [...gaps]
    .flatMap(([pointId, own]) => toSuspendedMember(membersByPoint.get(pointId), own))
    .sort((a, b) => b.steps - a.steps || a.prm.localeCompare(b.prm))
    .slice(0, MAX_LISTED_SUSPENDED)
}

function toSuspendedMember(member: Member | undefined, gaps: DayGap[]): SuspendedMeter[] {
  const ordered = gaps.toSorted((a, b) => a.from.localeCompare(b.from))
  const [first, last] = [ordered[0], ordered.at(-1)]
  if (!member || !first || !last) return []
  const { pointId, prm, label, participantName: holder, direction, storage } = member
  const memberFields = { pointId, prm, label, holder, direction, ...(storage && { storage }) }
  return [{ ...memberFields, steps: countGapSteps(gaps), days: countGapDays(gaps), from: first.from, to: last.to }]
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

/** The latest of these days. */
async function loadLastDayOfOperations(db: Db, companyId: number, operationIds: string[]): Promise<string | null> {
  const days = [...(await loadLastDaysByOperation(db, companyId, operationIds)).values()]
  return days.reduce<string | null>((last, day) => (last === null || day > last ? day : last), null)
}

/** Loads it from rollups in one snapshot, so that marks and rollups are consistent. */
const loadSummaryFromRollups = (db: Db, actor: Actor, query: SummaryQuery, periods: Period[]): Promise<SummaryData> =>
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

/** The points with gaps in one of the runs. */
async function listPointsWithGaps(db: Db, companyId: number, held: { runId: string }[]): Promise<string[]> {
  if (!held.length) return []
  const { rows } = await db.execute<{ pointId: string }>(sql`
    select distinct m->>'pointId' as "pointId"
      from allocation_runs r cross join lateral jsonb_array_elements(r.completeness->'members') m
     where r.company_id = ${companyId} and r.id = any(${toSqlArray([...new Set(held.map(({ runId }) => runId))])}::uuid[])
       and (m->>'missing')::int > 0`)
  return rows.map(({ pointId }) => pointId)
}

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

/** In whole per cent: with more digits an individual value could be derived from means of different days. */
const roundToPercent = (rate: number) => Math.round(rate * 100) / 100

/** The mean self-production rate of comparable consumers of the same operations; nothing for a whole operation. */
async function compareWithNeighbours(
  db: Db,
  { companyId, space }: Actor,
  members: Member[],
  query: Period & MemberSelection,
): Promise<EnergySummary['neighbours']> {
  if (space === 'office' && !query.participantId && !query.pointId) return null
  if (space === 'portal' && !(await loadPortalDisplay(db, companyId)).comparison) return null
  const own = members.filter(({ direction, storage }) => direction === 'consumption' && !storage)
  if (!own.length) return null
  const all = await listMembersOfOperations(db, companyId, listOperationIds(own))
  const others = await listComparableMembers(db, companyId, own, all)
  const people = [...new Set(others.map(getPersonId))]
  if (people.length < MIN_ANONYMOUS_PEOPLE) return null
  const groupOf = (member: Member) => people.indexOf(getPersonId(member))
  const sums = await loadAllocationSums(
    db,
    companyId,
    await loadPeriodData(db, companyId, others, query, groupOf),
    'whole',
  )
  const knownRates = [...sums.values()].flatMap((buckets) => {
    const sum = buckets.get('')
    const rate = sum && computeRates({ produced: 0, allocated: sum.local, consumed: sum.total }).selfProduction
    return typeof rate === 'number' ? [rate] : []
  })
  const mean = computeAnonymousMean(knownRates)
  return mean === null ? null : { selfProduction: roundToPercent(mean), members: knownRates.length }
}

/** With fewer people, a mean would reveal individual values. */
export const MIN_ANONYMOUS_PEOPLE = 5

/** Somebody with two contracts is one person and counts once. */
export const getPersonId = ({ userId, participantId }: Pick<Member, 'userId' | 'participantId'>) =>
  userId ?? participantId

const isConsumer = ({ direction, storage }: Member) => direction === 'consumption' && !storage
const getComparisonKey = ({ kind, segment }: Member) => `${kind} ${segment}`

/** Other consumers of the same kind (households with households, on similar connections) who agreed to be compared. */
export async function listComparableMembers(
  db: Db,
  companyId: number,
  own: Member[],
  all: Member[],
): Promise<Member[]> {
  const ownPersonIds = new Set(own.map(getPersonId))
  const comparisonKeys = new Set(own.filter(isConsumer).map(getComparisonKey))
  const others = all.filter(
    (member) =>
      isConsumer(member) && !ownPersonIds.has(getPersonId(member)) && comparisonKeys.has(getComparisonKey(member)),
  )
  const agreedParticipantIds = await listParticipantsWithConsent(db, companyId, 'comparison', [
    ...new Set(others.map((one) => one.participantId)),
  ])
  return others.filter(({ participantId }) => agreedParticipantIds.has(participantId))
}

/** A mean that identifies nobody: at least five values, none of them more than half of the sum. */
export function computeAnonymousMean(values: number[]): number | null {
  const sum = values.reduce((a, b) => a + b, 0)
  if (values.length < MIN_ANONYMOUS_PEOPLE || 2 * Math.max(...values) > sum) return null
  return sum / values.length
}
