import { addMonths, monthOf } from '@voisol/energy/calendar'
import { type SQL, sql } from 'drizzle-orm'
import { listStaleRollups } from '../../../core/stale-rollups.ts'
import type { Db } from '../../../db/client.ts'
import {
  type AllocationSum,
  addAllocationSum,
  addReadingSum,
  type GroupedSums,
  loadAllocationSumsOfRuns,
  loadReadingSums,
  type ReadingSum,
  type SumBucket,
} from './energy-sums.ts'
import { getSideIndex, listMembersOfOperations, type ParticipationGroup, toSqlArray } from './member-scope.ts'
import {
  buildMemberPeriods,
  listOperationIds,
  listRunsInForceByPeriod,
  type MemberPeriod,
  maxDay,
  minDay,
  type Period,
  splitByRun,
} from './periods.ts'

/** Four groups, one per side, into which an operation's period is summed. */
type GroupResolver = (operationId: string, nth: number) => number
type RollupRequest = {
  db: Db
  companyId: number
  ids: string[]
  periods: Period[]
  bucket: SumBucket
  groupOf: GroupResolver
}
type RollupRange = Period & { operationId: string; group: number }
type RollupRow = ReadingSum & AllocationSum & { group: number; bucket: string }
export type EnergySums = { read: GroupedSums<ReadingSum>; run: GroupedSums<AllocationSum> }

/** The sums of whole operations: from rollups, and from daily rows where a mark says they are outdated. */
export async function readRollups(
  db: Db,
  companyId: number,
  participationGroups: ParticipationGroup[],
  periods: Period[],
  bucket: SumBucket,
  groupOf: GroupResolver,
  knownStaleRanges?: StaleRanges,
): Promise<EnergySums> {
  const ids = listOperationIds(participationGroups)
  const request = { db, companyId, ids, periods, bucket, groupOf }
  const stale = knownStaleRanges ?? (await listStaleRollups(db, companyId, ids))
  const sums: EnergySums = { read: new Map(), run: new Map() }
  for (const row of await readRollupRows(request, stale)) {
    addToGroupedSums(sums.read, row, row, addReadingSum)
    addToGroupedSums(sums.run, row, row, addAllocationSum)
  }
  if (stale.size) await addStaleSums(sums, request, stale)
  return sums
}

type SumPosition = { group: number; bucket: string }
export function addToGroupedSums<T extends object>(
  sums: GroupedSums<T>,
  { group, bucket }: SumPosition,
  more: T,
  add: (sum: T, more: T) => void,
) {
  const own = sums.get(group) ?? new Map<string, T>()
  sums.set(group, own)
  const known = own.get(bucket)
  if (known) add(known, more)
  else own.set(bucket, { ...more })
}

async function readRollupRows(
  { db, companyId, ids, periods, bucket, groupOf }: RollupRequest,
  stale: StaleRanges,
): Promise<RollupRow[]> {
  const months: RollupRange[] = []
  const days: RollupRange[] = []
  for (const [nth, period] of periods.entries())
    for (const operationId of ids) {
      const freshRanges = splitFreshMonthsAndDays(period, stale.get(operationId) ?? [], bucket !== 'day')
      const range = (span: Period) => ({ ...span, operationId, group: groupOf(operationId, nth) })
      months.push(...freshRanges.months.map(range))
      days.push(...freshRanges.days.map(range))
    }
  const statements = [
    ...(months.length ? [buildRollupQuery(companyId, months, 'month', bucket)] : []),
    ...(days.length ? [buildRollupQuery(companyId, days, 'day', bucket)] : []),
  ]
  return statements.length ? (await db.execute<RollupRow>(sql.join(statements, sql` union all `))).rows : []
}

const ROLLUP_TABLES = { day: sql`operation_days`, month: sql`operation_months` }

function buildRollupQuery(companyId: number, ranges: RollupRange[], unit: 'day' | 'month', bucket: SumBucket): SQL {
  const day = sql.raw(unit)
  const first = bucket === 'month' && unit === 'day' ? sql`date_trunc('month', s.${day})::date` : sql`s.${day}`
  const name = bucket === 'whole' || bucket === 'counted' ? sql`''` : sql`(${first})::text`
  return sql`
    select m.g + s.side as "group", ${name} as bucket, sum(s.energy)::float8 as energy, sum(s.present)::int as present,
           sum(s.expected)::int as expected, sum(s.days)::int as days, bool_or(s.holes) as holes,
           max(s.quality)::int as quality, sum(s.estimated)::int as estimated, sum(s.total)::float8 as total,
           sum(s.local)::float8 as local, sum(s.excluded)::int as excluded, sum(s.steps)::int as steps,
           sum(s.seen)::int as seen, sum(s.given)::int as given
      from unnest(${toSqlArray(ranges.map(({ group }) => group))}::int[],
                  ${toSqlArray(ranges.map(({ operationId }) => operationId))}::uuid[],
                  ${toSqlArray(ranges.map(({ from }) => from))}::date[],
                  ${toSqlArray(ranges.map(({ to }) => to))}::date[]) m(g, operation_id, lo, hi)
     cross join lateral (
       select * from ${ROLLUP_TABLES[unit]} where company_id = ${companyId} and operation_id = m.operation_id
          and ${day} >= m.lo and ${day} < m.hi offset 0) s
     group by 1, 2`
}

/** Adds the marked days from the points' daily rows. */
async function addStaleSums(
  sums: EnergySums,
  { db, companyId, periods, bucket, groupOf }: RollupRequest,
  stale: StaleRanges,
): Promise<void> {
  const ids = [...stale.keys()]
  const members = await listMembersOfOperations(db, companyId, ids)
  const memberPeriodsByNth = periods.map((period, nth): MemberPeriod[] =>
    clipToRanges(
      buildMemberPeriods(members, period, (member) => groupOf(member.operationId, nth) + getSideIndex(member)),
      stale,
    ),
  )
  if (!memberPeriodsByNth.some((pieces) => pieces.length)) return
  const ownBucket = bucket === 'whole' ? 'counted' : bucket
  const runsByPeriod = await listRunsInForceByPeriod(db, companyId, ids, periods)
  const runPeriods = memberPeriodsByNth.flatMap((pieces, nth) => splitByRun(pieces, runsByPeriod[nth] ?? []))
  addGroupedSums(sums.read, await loadReadingSums(db, companyId, memberPeriodsByNth.flat(), ownBucket), addReadingSum)
  addGroupedSums(sums.run, await loadAllocationSumsOfRuns(db, companyId, runPeriods, ownBucket), addAllocationSum)
}

function addGroupedSums<T extends object>(
  sums: GroupedSums<T>,
  more: GroupedSums<T>,
  add: (sum: T, more: T) => void,
): void {
  for (const [group, buckets] of more)
    for (const [bucket, value] of buckets) addToGroupedSums(sums, { group, bucket }, value, add)
}

/** The days of each operation whose rollups are outdated, sorted and without overlaps. */
export type StaleRanges = Map<string, Period[]>

/** The days of a period outside all ranges. */
export function subtractRanges(period: Period, ranges: Period[]): Period[] {
  const remaining: Period[] = []
  let { from } = period
  for (const range of ranges) {
    if (range.to <= from || range.from >= period.to) continue
    if (range.from > from) remaining.push({ from, to: range.from })
    from = range.to
  }
  if (from < period.to) remaining.push({ from, to: period.to })
  return remaining
}

/** The part of a period with current rollups: whole months if wanted, and the days around them. */
export function splitFreshMonthsAndDays(
  period: Period,
  stale: Period[],
  byMonth: boolean,
): { months: Period[]; days: Period[] } {
  const freshRanges = subtractRanges(period, stale)
  if (!byMonth) return { months: [], days: freshRanges }
  const result = { months: [] as Period[], days: [] as Period[] }
  for (const { from, to } of freshRanges) {
    const first = from === monthOf(from) ? from : addMonths(monthOf(from), 1)
    const last = monthOf(to)
    if (first >= last) {
      result.days.push({ from, to })
      continue
    }
    result.months.push({ from: first, to: last })
    if (from < first) result.days.push({ from, to: first })
    if (last < to) result.days.push({ from: last, to })
  }
  return result
}

/** Limits member periods to the ranges of their operation. */
export const clipToRanges = (memberPeriods: MemberPeriod[], rangesByOperation: StaleRanges): MemberPeriod[] =>
  memberPeriods.flatMap((memberPeriod) =>
    (rangesByOperation.get(memberPeriod.operationId) ?? []).flatMap(({ from, to }) => {
      const [lo, hi] = [maxDay(memberPeriod.lo, from), minDay(memberPeriod.hi, to)]
      return lo < hi ? [{ ...memberPeriod, lo, hi }] : []
    }),
  )
