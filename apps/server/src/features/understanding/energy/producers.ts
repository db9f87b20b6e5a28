import type { ProducerRow } from '@voisol/contract/energy-rows'
import { addDays, listDays } from '@voisol/energy/calendar'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { alarmsOf } from './alarms.ts'
import { completeness } from './operations.ts'
import { type Period, requirePeriod } from './period.ts'
import { cut, earlier } from './pieces.ts'
import { compare, expectationOf, historyOf, type Plant, plantOf } from './plants.ts'
import { type Member, selectMembers } from './scope.ts'
import { sparkline } from './sparks.ts'
import { type Measured, measured, type Shared, shared } from './sums.ts'
import { partsOf, sceneOf, toWh } from './totals.ts'

type Row = z.infer<typeof ProducerRow>
const MOST_DAYS = 800

const seatOf = ({ operationId, pointId }: Member) => `${operationId} ${pointId}`

/** Every plant over the period: what it gave, what it should have given, and what is wrong with it. */
export async function producerRows(
  db: Db,
  actor: Actor,
  query: Period & { operationId?: string | undefined },
): Promise<Row[]> {
  const period = requirePeriod(query, MOST_DAYS)
  const { companyId } = actor
  const members = (await selectMembers(db, actor, query)).filter(
    (member) => member.direction === 'production' && cut([member], period, () => 0).length,
  )
  const seats = [...new Set(members.map(seatOf))]
  const groupOf = (member: Member) => seats.indexOf(seatOf(member))
  const read = await measured(db, companyId, cut(members, historyOf(period), groupOf), 'day')
  const run = await shared(db, companyId, await sceneOf(db, companyId, members, period, groupOf), 'whole')
  // The days of the period that may have readings: a plant is not asked for tomorrow's.
  const past = { from: period.from, to: earlier(period.to, later(period.from)) }
  const plants = seats.flatMap((seat, at): Plant[] => {
    const own = members.filter((member) => seatOf(member) === seat)
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last) return []
    return [plantOf({ ...last, startsOn: first.startsOn }, past, read.get(at))]
  })
  return plants.map((plant, at) => {
    const others = plants.filter(
      (other) => other !== plant && !other.member.storage && other.member.operationId === plant.member.operationId,
    )
    return rowOf({ plant, others, period, read: read.get(at), run: run.get(at)?.get('') })
  })
}

const later = (from: string) => (today() > from ? today() : addDays(from, 1))

type Seen = {
  plant: Plant
  others: Plant[]
  period: Period
  read: Map<string, Measured> | undefined
  run: Shared | undefined
}

function rowOf({ plant, others, period, read, run }: Seen): Row {
  const { member } = plant
  const days = listDays(period.from, period.to)
  const known = days.flatMap((day) => read?.get(day) ?? [])
  const sum = (value: (own: Measured) => number) => known.reduce((total, own) => total + value(own), 0)
  const produced = sum(({ energy }) => energy)
  const parts = partsOf(produced, run ?? { total: 0, local: 0 })
  const expectation = expectationOf(plant, others)
  const sums = compare(
    plant.days.filter(({ day }) => day >= period.from),
    expectation,
  )
  const come = { present: sum((own) => own.present), expected: sum((own) => own.expected), days: known.length }
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
    completeness: completeness(
      cut([member], period, () => 0),
      member.step,
      [come],
    ),
    alarms: alarmsOf(plant, period, expectation),
    sparkline: sparkline(days, (day) => (read?.get(day)?.present ? (read.get(day)?.energy ?? null) : null)),
  }
}
