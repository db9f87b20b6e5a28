import type { ProducerEnergyItem } from '@voisol/contract/energy-figures'
import { addDays, dayStart, daysBetween, listDays } from '@voisol/energy/calendar'
import { computePvWatts } from '@voisol/energy/model/pv'
import { formatFrenchDay } from '@voisol/file-formats/french'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { type AllocationSum, loadAllocationSums, loadReadingSums, type ReadingSum } from './energy-sums.ts'
import { loadPeriodData, splitEnergy, toWh } from './energy-totals.ts'
import { listReadableMembers, type Member } from './member-scope.ts'
import { buildSparkline, computeCompleteness } from './operation-rows.ts'
import { buildMemberPeriods, maxDay, minDay, type Period, requirePeriod } from './periods.ts'

type Row = z.infer<typeof ProducerEnergyItem>
const MAX_PRODUCER_DAYS = 800

const getPlantKey = ({ operationId, pointId }: Member) => `${operationId} ${pointId}`

/** Every plant over the period: actual and expected production, and alarms. */
export async function listProducerRows(
  db: Db,
  actor: Actor,
  query: Period & { operationId?: string | undefined },
): Promise<Row[]> {
  const period = requirePeriod(query, MAX_PRODUCER_DAYS)
  const { companyId } = actor
  const members = (await listReadableMembers(db, actor, query)).filter(
    (member) => member.direction === 'production' && buildMemberPeriods([member], period, () => 0).length,
  )
  const plantKeys = [...new Set(members.map(getPlantKey))]
  const groupOf = (member: Member) => plantKeys.indexOf(getPlantKey(member))
  const read = await loadReadingSums(
    db,
    companyId,
    buildMemberPeriods(members, extendWithHistory(period), groupOf),
    'day',
  )
  const run = await loadAllocationSums(
    db,
    companyId,
    await loadPeriodData(db, companyId, members, period, groupOf),
    'whole',
  )
  // Days of the period that can have readings: tomorrow's are not expected.
  const past = { from: period.from, to: minDay(period.to, getEndOfKnownDays(period.from)) }
  const plants = plantKeys.flatMap((plantKey, at): Plant[] => {
    const own = members.filter((member) => getPlantKey(member) === plantKey)
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last) return []
    return [buildPlant({ ...last, startsOn: first.startsOn }, past, read.get(at))]
  })
  return plants.map((plant, at) => {
    const others = plants.filter(
      (other) => other !== plant && !other.member.storage && other.member.operationId === plant.member.operationId,
    )
    return toProducerRow({ plant, others, period, read: read.get(at), run: run.get(at)?.get('') })
  })
}

const getEndOfKnownDays = (from: string) => (getToday() > from ? getToday() : addDays(from, 1))

type PlantData = {
  plant: Plant
  others: Plant[]
  period: Period
  read: Map<string, ReadingSum> | undefined
  run: AllocationSum | undefined
}

function toProducerRow({ plant, others, period, read, run }: PlantData): Row {
  const { member } = plant
  const days = listDays(period.from, period.to)
  const known = days.flatMap((day) => read?.get(day) ?? [])
  const sum = (value: (own: ReadingSum) => number) => known.reduce((total, own) => total + value(own), 0)
  const produced = sum(({ energy }) => energy)
  const parts = splitEnergy(produced, run ?? { total: 0, local: 0 })
  const expectation = buildExpectation(plant, others)
  const sums = compareWithExpectation(
    plant.days.filter(({ day }) => day >= period.from),
    expectation,
  )
  const receivedSteps = { present: sum((own) => own.present), expected: sum((own) => own.expected), days: known.length }
  return {
    id: member.pointId,
    prm: member.prm,
    label: member.label,
    participantName: member.participantName,
    operationId: member.operationId,
    operationName: member.operationName,
    peakWatts: member.peakWatts,
    ...(member.storage && { storage: true }),
    produced: toWh(parts.whole),
    shared: toWh(parts.local),
    surplus: toWh(parts.rest),
    pendingProduced: toWh(parts.pending),
    yield: member.peakWatts && known.length ? Math.round((produced / 60 / member.peakWatts) * 1000) / 1000 : null,
    expected: sums ? toWh(sums.expected) : null,
    performance: sums ? sums.produced / sums.expected : null,
    completeness: computeCompleteness(
      buildMemberPeriods([member], period, () => 0),
      member.step,
      [receivedSteps],
    ),
    alarms: findPlantAlarms(plant, period, expectation),
    sparkline: buildSparkline(days, (day) => (read?.get(day)?.present ? (read.get(day)?.energy ?? null) : null)),
  }
}

type PlantAlarm = z.infer<typeof ProducerEnergyItem>['alarms'][number]

const MAX_SILENT_DAYS = 3
const RECENT_DAYS = 7
const WEAK_PERFORMANCE = 0.6
/** A single plant has no other to tell clouds from faults, so the threshold is lower. */
const WEAK_PERFORMANCE_ALONE = 0.35
const MAX_ALARMS_PER_PLANT = 5

/** Alarms of a plant at the end of the period, and within it. */
function findPlantAlarms(plant: Plant, period: Period, expectation: PlantExpectation): PlantAlarm[] {
  const days = plant.days.filter(({ day }) => day >= period.from)
  return [
    ...findMissingDataAlarm(plant, period),
    ...findNoProductionAlarms(days, period),
    ...findWeakProductionAlarm(days, expectation),
  ].slice(0, MAX_ALARMS_PER_PLANT)
}

function findMissingDataAlarm({ member, lastKnown }: Plant, period: Period): PlantAlarm[] {
  const end = minDay(minDay(period.to, getToday()), member.endsOn ?? period.to)
  const since = lastKnown ? addDays(lastKnown, 1) : maxDay(member.startsOn, period.from)
  if (since >= end || daysBetween(since, end) <= MAX_SILENT_DAYS) return []
  const severity = lastKnown ? 'warning' : 'critical'
  return [{ severity, since, message: `Aucune donnée reçue depuis le ${formatFrenchDay(since)}.` }]
}

/** Periods of days with readings, daylight and no production. */
function findNoProductionAlarms(days: PlantDay[], period: Period): PlantAlarm[] {
  const stretches: PlantDay[][] = []
  let currentStretch: PlantDay[] = []
  for (const day of days) {
    if (day.whole && day.clear > 0 && day.energy === 0) {
      if (!currentStretch.length) stretches.push(currentStretch)
      currentStretch.push(day)
    } else currentStretch = []
  }
  const lastDay = days.at(-1)?.day
  return stretches.reverse().flatMap((stretch): PlantAlarm[] => {
    const [first, last] = [stretch[0]?.day, stretch.at(-1)?.day]
    if (!first || !last) return []
    if (last === lastDay && last >= addDays(minDay(period.to, getToday()), -1 - MAX_SILENT_DAYS))
      return [
        {
          severity: 'critical',
          since: first,
          message: `Aucune production depuis le ${formatFrenchDay(first)}, alors que les données arrivent.`,
        },
      ]
    const when =
      first === last ? `le ${formatFrenchDay(first)}` : `du ${formatFrenchDay(first)} au ${formatFrenchDay(last)}`
    return [{ severity: 'warning', since: first, message: `Aucune production ${when}.` }]
  })
}

function findWeakProductionAlarm(days: PlantDay[], expectation: PlantExpectation): PlantAlarm[] {
  const recentDays = days.filter(({ whole }) => whole).slice(-RECENT_DAYS)
  const [first] = recentDays
  const sums = compareWithExpectation(recentDays, expectation)
  // A plant without any production has its own alarm.
  if (!first || !sums || recentDays.length < RECENT_DAYS || sums.produced === 0) return []
  const performance = sums.produced / sums.expected
  if (performance >= (expectation.alone ? WEAK_PERFORMANCE_ALONE : WEAK_PERFORMANCE)) return []
  const percent = Math.round(performance * 100)
  const against = expectation.alone
    ? 'de ce qu’elle donne d’habitude'
    : 'de ce que laissent attendre les autres centrales'
  const message = `Production faible depuis ${RECENT_DAYS} jours\u00a0: ${percent}\u00a0% ${against}.`
  return [{ severity: 'warning', since: first.day, message }]
}

/** Watt-minutes of one day; `clear` is the model's value under a clear sky. */
type PlantDay = { day: string; energy: number; clear: number; whole: boolean }
type Plant = { member: Member; days: PlantDay[]; lastKnown: string | null }

const DEFAULT_AZIMUTH = 180
const DEFAULT_TILT = 30
/** Days of its own history that a single plant is compared with. */
const OWN_HISTORY_DAYS = 30
/** Below this part of a clear day nothing can be concluded: snow, or a wrong model. */
const MIN_CLEAR_SKY_RATIO = 0.001

function computeClearSkyEnergies({ peakWatts, azimuth, tilt, latitude, longitude }: Member, days: string[]): number[] {
  const [first, last] = [days[0], days.at(-1)]
  if (!peakWatts || latitude === null || longitude === null || !first || !last) return days.map(() => 0)
  const origin = dayStart(first)
  const plant = {
    peakWatts,
    azimuth: azimuth ?? DEFAULT_AZIMUTH,
    tilt: tilt ?? DEFAULT_TILT,
    place: { latitude, longitude },
  }
  const watts = computePvWatts(plant, origin, (dayStart(addDays(last, 1)) - origin) / 60, 60)
  return days.map((day) => {
    const at = (dayStart(day) - origin) / 60
    const until = (dayStart(addDays(day, 1)) - origin) / 60
    return watts.subarray(at, until).reduce((sum, value) => sum + value, 0) * 60
  })
}

/** The days of a plant over the period, with earlier days for comparison. */
function buildPlant(member: Member, period: Period, read: Map<string, ReadingSum> | undefined): Plant {
  const lo = maxDay(member.startsOn, addDays(period.from, -OWN_HISTORY_DAYS))
  const hi = minDay(member.endsOn ?? period.to, period.to)
  const days = lo < hi ? listDays(lo, hi) : []
  const clear = computeClearSkyEnergies(member, days)
  const known = days.flatMap((day, at): PlantDay[] => {
    const own = read?.get(day)
    if (!own?.present) return []
    return [{ day, energy: own.energy, clear: clear[at] ?? 0, whole: !own.holes }]
  })
  return { member, days: known, lastKnown: known.at(-1)?.day ?? null }
}

const extendWithHistory = ({ from, to }: Period): Period => ({ from: addDays(from, -OWN_HISTORY_DAYS), to })

const isComparableDay = ({ whole, clear, energy }: PlantDay) =>
  whole && clear > 0 && energy > clear * MIN_CLEAR_SKY_RATIO

function computeMedian(values: number[]): number | null {
  if (!values.length) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? 0
  return sorted.length % 2 ? high : (high + (sorted[middle - 1] ?? 0)) / 2
}

type PlantExpectation = { alone: boolean; of: (day: PlantDay) => number | null }

/**
 * Expected from the median of the other plants that day, under the same sky; for a single plant, from its own last good
 * days.
 */
function buildExpectation(plant: Plant, others: Plant[]): PlantExpectation {
  const byDay = new Map<string, number[]>()
  for (const { days } of others)
    for (const day of days.filter(isComparableDay))
      byDay.set(day.day, [...(byDay.get(day.day) ?? []), day.energy / day.clear])
  if (byDay.size)
    return {
      alone: false,
      of: ({ day, clear }) => {
        const ratio = computeMedian(byDay.get(day) ?? [])
        return ratio === null || !clear ? null : clear * ratio
      },
    }
  const own = plant.days.filter(isComparableDay).slice(-OWN_HISTORY_DAYS)
  const ratio = computeMedian(own.map(({ energy, clear }) => energy / clear))
  return { alone: true, of: ({ clear }) => (ratio === null || !clear ? null : clear * ratio) }
}

/** Produced and expected energy over the whole days that can be compared. */
function compareWithExpectation(
  days: PlantDay[],
  { of }: PlantExpectation,
): { produced: number; expected: number } | null {
  let produced = 0
  let expected = 0
  for (const day of days) {
    const due = day.whole ? of(day) : null
    if (due === null) continue
    produced += day.energy
    expected += due
  }
  return expected > 0 ? { produced, expected } : null
}
