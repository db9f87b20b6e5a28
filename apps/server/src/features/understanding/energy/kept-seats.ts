import { sql } from 'drizzle-orm'
import { listStaleRollups } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { toSqlArray } from './columns.ts'
import type { ParticipationGroup } from './crews.ts'
import { clipToRanges, type StaleRanges, splitFreshMonthsAndDays } from './fresh.ts'
import type { Period } from './period.ts'
import { buildMemberPeriods, listOperationIds, listRunsInForce, type MemberPeriod, splitByRun } from './pieces.ts'
import { listMembersOfOperations } from './scope.ts'
import { addParticipationSumAt, createPackedSumAdder, createParticipationSums, toPackedKey } from './seat-pack.ts'
import { loadAllocationSumsOfRuns, loadReadingSums } from './sums.ts'

/** A participation with the fields needed to read its days one by one. */
export type SummedParticipation = ParticipationGroup & { id: string }

/** Energy read and allocated for each participation, from the days of its point. */
export async function loadParticipationSums(
  db: Db,
  companyId: number,
  participations: SummedParticipation[],
  period: Period,
): Promise<Float64Array> {
  const sums = createParticipationSums(participations.length)
  await addMemberPeriods(
    db,
    companyId,
    buildMemberPeriods(participations, period, (_, at) => at),
    period,
    sums,
  )
  return sums
}

async function addMemberPeriods(
  db: Db,
  companyId: number,
  memberPeriods: MemberPeriod[],
  period: Period,
  sums: Float64Array,
) {
  if (!memberPeriods.length) return
  const runsInForce = await listRunsInForce(db, companyId, listOperationIds(memberPeriods), period)
  const read = await loadReadingSums(db, companyId, memberPeriods, 'whole')
  const run = await loadAllocationSumsOfRuns(db, companyId, splitByRun(memberPeriods, runsInForce), 'whole')
  for (const [at, own] of read)
    addParticipationSumAt(sums, at, { energy: own.get('')?.energy ?? 0, total: 0, local: 0 })
  for (const [at, own] of run) addParticipationSumAt(sums, at, { total: 0, local: 0, ...own.get(''), energy: 0 })
}

/** The same for members of whole operations: from rollups, and from daily rows where they are outdated. */
export const readParticipationRollups = (
  db: Db,
  companyId: number,
  participations: SummedParticipation[],
  period: Period,
): Promise<Float64Array> =>
  readParticipationRollupsAt(
    db,
    companyId,
    listOperationIds(participations),
    period,
    new Map(participations.map(({ id }, at) => [toPackedKey(id), at])),
  )

/** For all members of some operations, each at the position of its participation key. */
export async function readParticipationRollupsAt(
  db: Db,
  companyId: number,
  ids: string[],
  period: Period,
  places: Map<string, number>,
): Promise<Float64Array> {
  const stale = await listStaleRollups(db, companyId, ids)
  const sums = createParticipationSums(places.size)
  const add = createPackedSumAdder((key) => places.get(key), sums)
  for (const row of await readParticipationRollupRows(db, companyId, ids, period, stale)) add(row)
  if (!stale.size) return sums
  const members = await listMembersOfOperations(db, companyId, [...stale.keys()])
  const staleMemberPeriods = clipToRanges(
    buildMemberPeriods(members, period, ({ id }) => places.get(toPackedKey(id)) ?? -1).filter(
      ({ group }) => group >= 0,
    ),
    stale,
  )
  await addMemberPeriods(db, companyId, staleMemberPeriods, period, sums)
  return sums
}

type ParticipationRollupRow = { seats: Buffer | null; packed: Buffer }

/** Row by row; the participation list is only returned when it differs from the previous row's. */
async function readParticipationRollupRows(
  db: Db,
  companyId: number,
  ids: string[],
  period: Period,
  stale: StaleRanges,
): Promise<ParticipationRollupRow[]> {
  const ranges = ids.flatMap((id) => {
    const { months, days } = splitFreshMonthsAndDays(period, stale.get(id) ?? [], true)
    return [
      ...months.map((span) => ({ id, monthly: 1, ...span })),
      ...days.map((span) => ({ id, monthly: 0, ...span })),
    ]
  })
  if (!ranges.length) return []
  const { rows } = await db.execute<ParticipationRollupRow>(sql`
    select case when s.seats is distinct from lag(s.seats) over w then s.seats end as seats, s.packed
      from unnest(${toSqlArray(ranges.map(({ id }) => id))}::uuid[], ${toSqlArray(ranges.map(({ monthly }) => monthly))}::int[],
                  ${toSqlArray(ranges.map(({ from }) => from))}::date[],
                  ${toSqlArray(ranges.map(({ to }) => to))}::date[]) m(operation_id, monthly, lo, hi)
      join operation_seats s on s.company_id = ${companyId} and s.operation_id = m.operation_id
       and s.monthly = (m.monthly = 1) and s.day >= m.lo and s.day < m.hi
    window w as (order by s.operation_id, s.monthly, s.day)
     order by s.operation_id, s.monthly, s.day`)
  return rows
}
