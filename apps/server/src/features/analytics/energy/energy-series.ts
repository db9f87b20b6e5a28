import type { AnalyticsMeasure } from '@voisol/contract/analytics'
import type { EndpointReply } from '@voisol/contract/endpoint'
import type { EnergySeries, energy, Granularity } from '@voisol/contract/energy'
import { chooseFinestGranularity, getCoarserGranularity, MAX_DAYS_BY_GRANULARITY } from '@voisol/contract/granularity'
import {
  addDays,
  addMonths,
  dayOf,
  dayStart,
  daysBetween,
  isDay,
  listDays,
  localTime,
  monthOf,
} from '@voisol/energy/calendar'
import { computeRates } from '@voisol/energy/metrics'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import {
  applyWorstMark,
  createEnergyColumns,
  type EnergyColumns,
  loadMemberStepColumns,
  SIDE_NAMES,
  type SideColumns,
  toEnergySeries,
} from './energy-columns.ts'
import { loadAllocationSums, loadReadingSums } from './energy-sums.ts'
import { loadPeriodData } from './energy-totals.ts'
import {
  getSideIndex,
  listParticipationGroups,
  listReadableMembers,
  type Member,
  type MemberSelection,
  type ParticipationGroup,
  readsWholeOperations,
} from './member-scope.ts'
import { buildMemberPeriods, type MemberPeriod, type Period, requirePeriod } from './periods.ts'
import { type EnergySums, readRollups } from './rollup-read.ts'
import { getHourPart, loadRollupStepColumns } from './step-rollups.ts'

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

type DayBucketUnit = 'day' | 'month'

/** Sums days and months in the database. */
async function loadMemberDayColumns(db: Db, companyId: number, members: Member[], period: Period, unit: DayBucketUnit) {
  const periodData = await loadPeriodData(db, companyId, members, period, getSideIndex)
  const read = await loadReadingSums(db, companyId, periodData.pieces, unit)
  const run = await loadAllocationSums(db, companyId, periodData, unit)
  return fillDayColumns(members, periodData.pieces, { read, run }, period, unit)
}

/** The same for whole operations, from rollups. */
async function loadRollupDayColumns(
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

/** First days of the buckets. */
function listBucketDays({ from, to }: Period, granularity: 'day' | 'month'): string[] {
  if (granularity === 'day') return listDays(from, to)
  const months = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) months.push(month)
  return months
}

/** A bucket that begins before the period starts with the period. */
const listBucketStarts = (days: string[], { from }: Period) => days.map((day) => dayStart(day < from ? from : day))

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

export async function loadEnergyHeatMap(
  db: Db,
  actor: Actor,
  query: Period & MemberSelection & { measure: AnalyticsMeasure },
) {
  const series = await loadEnergySeries(db, actor, { ...query, granularity: 'hour' }, [query.measure])
  const days = listDays(query.from, query.to)
  return { days, hours: groupByWallClockHour(series, query.measure, days) }
}

/** A repeated hour is the mean of both; a skipped one stays unknown. */
export function groupByWallClockHour(
  { starts, ...columns }: EnergySeries,
  measure: AnalyticsMeasure,
  days: string[],
): (number | null)[][] {
  const rowOf = new Map(days.map((day, at) => [day, at]))
  const sums = days.map(() => Array.from({ length: 24 }, () => ({ wh: 0, n: 0 })))
  for (const [at, start] of starts.entries()) {
    const minute = Date.parse(start) / 60_000
    const value = columns[measure][at]
    const cell = sums[rowOf.get(dayOf(minute)) ?? -1]?.[Math.floor(localTime(minute).minuteOfDay / 60)]
    if (!cell || typeof value !== 'number') continue
    cell.wh += value
    cell.n++
  }
  return sums.map((row) => row.map(({ wh, n }) => (n ? Math.round((wh / n) * 1000) / 1000 : null)))
}

type DocumentedQuery = MemberSelection & { startDate: string; endDate: string; granularity: Granularity }
type Direction = 'production' | 'consumption'

const KWH_UNIT = 'kWh' as const
const toKwh = (wattMinutes: number) => Math.round((wattMinutes / 60) * 1000) / 1_000_000
const sumValues = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

type PeriodBounds = Period & { startsAt: number; endsAt: number }

const toMinute = (bound: string) => (isDay(bound) ? dayStart(bound) : Math.ceil(Date.parse(bound) / 60_000))

/** Local days or instants; the end is excluded. */
function parseBounds(start: string, end: string, most: number): PeriodBounds {
  const names = { from: 'startDate', to: 'endDate' }
  const startsAt = toMinute(start)
  const endsAt = toMinute(end)
  if (endsAt <= startsAt) throw fieldError(names.to, 'La fin de la période doit venir après son début.')
  const period = { from: dayOf(startsAt), to: addDays(dayOf(endsAt - 1), 1) }
  return { ...requirePeriod(period, most, names), startsAt, endsAt }
}

/** The buckets that overlap the bounds. */
async function loadDirectionRows(db: Db, actor: Actor, query: DocumentedQuery, direction: Direction) {
  const bounds = parseBounds(query.startDate, query.endDate, MAX_DAYS_BY_GRANULARITY[query.granularity])
  const keepDirection = <M extends { direction: Direction }>(members: M[]) =>
    members.filter((one) => one.direction === direction)
  const columns = readsWholeOperations(actor, query)
    ? await loadRollupColumns(
        db,
        actor.companyId,
        keepDirection(await listParticipationGroups(db, actor, query)),
        bounds,
        query.granularity,
      )
    : await loadMemberColumns(
        db,
        actor.companyId,
        keepDirection(await listReadableMembers(db, actor, query)),
        bounds,
        query.granularity,
      )
  return columns.starts.flatMap((start, at) => {
    const next = columns.starts[at + 1] ?? bounds.endsAt
    return next > bounds.startsAt && start < bounds.endsAt ? [toDirectionRow(start, columns[direction], at)] : []
  })
}

const toDirectionRow = (start: number, side: SideColumns, at: number) => ({
  timestamp: new Date(start * 60_000).toISOString(),
  read: side.known[at] ? (side.read[at] ?? 0) : null,
  local: side.held[at] ? (side.local[at] ?? 0) : null,
  rest: side.heldRest[at] ? (side.rest[at] ?? 0) : null,
})
const toNullableKwh = (value: number | null) => (value === null ? null : toKwh(value))
const keepKnownValues = (values: (number | null)[]) => values.filter((value) => value !== null)

export async function loadProductionSeries(
  db: Db,
  actor: Actor,
  query: DocumentedQuery,
): Promise<EndpointReply<typeof energy.production>> {
  const rows = await loadDirectionRows(db, actor, query, 'production')
  const produced = keepKnownValues(rows.map((row) => row.read))
  const total = sumValues(produced)
  return {
    data: rows.map((row) => ({
      timestamp: row.timestamp,
      production: toNullableKwh(row.read),
      shared: toNullableKwh(row.local),
      surplus: toNullableKwh(row.rest),
      unit: KWH_UNIT,
      weather: null,
    })),
    summary: {
      totalProduction: toKwh(total),
      averageProduction: produced.length ? toKwh(total / produced.length) : 0,
      peakProduction: toKwh(produced.reduce((max, value) => Math.max(max, value), 0)),
      unit: KWH_UNIT,
    },
  }
}

export async function loadConsumptionSeries(
  db: Db,
  actor: Actor,
  query: DocumentedQuery,
): Promise<EndpointReply<typeof energy.consumption>> {
  const rows = await loadDirectionRows(db, actor, query, 'consumption')
  const local = sumValues(keepKnownValues(rows.map((row) => row.local)))
  const grid = sumValues(keepKnownValues(rows.map((row) => row.rest)))
  return {
    data: rows.map((row) => ({
      timestamp: row.timestamp,
      consumption: toNullableKwh(row.read),
      selfConsumption: toNullableKwh(row.local),
      gridConsumption: toNullableKwh(row.rest),
      unit: KWH_UNIT,
    })),
    summary: {
      totalConsumption: toKwh(sumValues(keepKnownValues(rows.map((row) => row.read)))),
      totalSelfConsumption: toKwh(local),
      totalGridConsumption: toKwh(grid),
      selfProductionRate: computeRates({ produced: 0, allocated: local, consumed: local + grid }).selfProduction,
      unit: KWH_UNIT,
    },
  }
}
