import { listDays, monthOf } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import {
  applyWorstMark,
  createEnergyColumns,
  type EnergyColumns,
  listBucketDays,
  listBucketStarts,
  SIDE_NAMES,
  type SideColumns,
} from './buckets.ts'
import { getSideIndex, type ParticipationGroup } from './crews.ts'
import { type EnergySums, readRollups } from './kept-sums.ts'
import type { Period } from './period.ts'
import { buildMemberPeriods, type MemberPeriod } from './pieces.ts'
import type { Member } from './scope.ts'
import { loadAllocationSums, loadReadingSums } from './sums.ts'
import { loadPeriodData } from './totals.ts'

type DayBucketUnit = 'day' | 'month'

/** Sums days and months in the database. */
export async function loadMemberDayColumns(
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  unit: DayBucketUnit,
) {
  const periodData = await loadPeriodData(db, companyId, members, period, getSideIndex)
  const read = await loadReadingSums(db, companyId, periodData.pieces, unit)
  const run = await loadAllocationSums(db, companyId, periodData, unit)
  return fillDayColumns(members, periodData.pieces, { read, run }, period, unit)
}

/** The same for whole operations, from rollups. */
export async function loadRollupDayColumns(
  db: Db,
  companyId: number,
  participationGroups: ParticipationGroup[],
  period: Period,
  unit: DayBucketUnit,
) {
  const rollups = await readRollups(db, companyId, participationGroups, [period], unit, () => 0)
  return fillDayColumns(
    participationGroups,
    buildMemberPeriods(participationGroups, period, getSideIndex),
    rollups,
    period,
    unit,
  )
}

function fillDayColumns(
  members: ParticipationGroup[],
  memberPeriods: MemberPeriod[],
  { read, run }: EnergySums,
  period: Period,
  unit: DayBucketUnit,
): EnergyColumns {
  const days = listBucketDays(period, unit)
  const columns = createEnergyColumns(listBucketStarts(days, period), null, members)
  const due = countExpectedDays(memberPeriods, days, period)
  for (const [group, name] of SIDE_NAMES.entries()) {
    const side: SideColumns = columns[name]
    for (const [at, day] of days.entries()) {
      const readingSum = read.get(group)?.get(day)
      const expected = due[group]?.[at] ?? 0
      if (readingSum?.present) {
        side.read[at] = readingSum.energy
        side.known[at] = readingSum.present
      }
      if (expected)
        applyWorstMark(
          columns.marks,
          at,
          !readingSum || readingSum.holes || readingSum.days < expected ? 0 : readingSum.quality,
        )
      const allocationSum = run.get(group)?.get(day)
      if (!allocationSum || allocationSum.steps === allocationSum.excluded) continue
      side.local[at] = allocationSum.local
      side.rest[at] = allocationSum.total - allocationSum.local
      side.held[at] = allocationSum.steps - allocationSum.excluded
      side.heldRest[at] = allocationSum.steps - allocationSum.excluded
    }
  }
  return columns
}

/** The expected number of point-days so far, by direction and bucket. */
function countExpectedDays(memberPeriods: MemberPeriod[], days: string[], period: Period): Float64Array[] {
  const all = listDays(period.from, period.to)
  const indexOf = new Map(all.map((day, at) => [day, at]))
  const bucketOf = new Map(days.map((day, at) => [day, at]))
  const now = getToday()
  const monthly = days.length !== all.length || days[0] !== all[0]
  return SIDE_NAMES.map((_, group) => {
    const changes = new Int32Array(all.length + 1)
    for (const { group: own, lo, hi, count = 1 } of memberPeriods) {
      if (own !== group) continue
      const [first, last] = [indexOf.get(lo) ?? 0, indexOf.get(hi) ?? all.length]
      changes[first] = (changes[first] ?? 0) + count
      changes[last] = (changes[last] ?? 0) - count
    }
    const due = new Float64Array(days.length)
    let active = 0
    for (const [at, day] of all.entries()) {
      active += changes[at] ?? 0
      const bucket = bucketOf.get(monthly ? monthOf(day) : day) ?? 0
      if (day < now) due[bucket] = (due[bucket] ?? 0) + active
    }
    return due
  })
}
