import type { ProducerEnergyItem } from '@voisol/contract/energy-rows'
import { addDays, listDays } from '@voisol/energy/calendar'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { findPlantAlarms } from './alarms.ts'
import { computeCompleteness } from './operations.ts'
import { type Period, requirePeriod } from './period.ts'
import { buildMemberPeriods, minDay } from './pieces.ts'
import { buildExpectation, buildPlant, compareWithExpectation, extendWithHistory, type Plant } from './plants.ts'
import { listReadableMembers, type Member } from './scope.ts'
import { buildSparkline } from './sparks.ts'
import { type AllocationSum, loadAllocationSums, loadReadingSums, type ReadingSum } from './sums.ts'
import { loadPeriodData, splitEnergy, toWh } from './totals.ts'

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
