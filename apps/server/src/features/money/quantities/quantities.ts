import { addDays, addMonths, listDays } from '@voisol/energy/calendar'
import type { Cells, DistributorRow, Member, Producer } from '@voisol/money/input'
import type { Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { billableRows } from '../../distributor/reconciliation/reconciliation.ts'
import { buyersOf, sellersOf } from '../parties/parties.ts'
import { acciseClassOf, type HeldSettings, settingsOn } from '../settings/settings.ts'
import { cellsFrom, cellsOf } from './cells.ts'
import { type HeldRun, heldRuns } from './held-runs.ts'
import { type Measured, measuredOf } from './measured.ts'
import { daysOfStay, heldBy, type Stay, staysOf } from './stays.ts'

export type { HeldRun } from './held-runs.ts'

/** A participation at a consumption point, as the rules of money take it, and what it is called. */
export type QuantityMember = Member & { pointId: string; label: string; name: string }
export type QuantityProducer = Producer & Stretch & { pointId: string; holderId: string; label: string }
type Stretch = { from: string; to: string | null }
/** What a member drew on each day of the month; null where nothing is known or it was not there. */
export type Drawn = { member: string; total: (number | null)[] }

export type Quantities = {
  /** 'YYYY-MM', its days, and how many there are. */
  month: string
  period: Period
  days: string[]
  members: QuantityMember[]
  producers: QuantityProducer[]
  cells: (Cells & { wattMinutes: Float64Array })[]
  distributor: DistributorRow[]
  /** Quantities over an end of the month, which cannot be cut. */
  beyond: { prm: string; from: string; to: string }[]
  /** Meters of which a day rests on a provisional run. */
  provisional: string[]
  runs: HeldRun[]
  /** Days on which somebody takes part and no run holds. */
  daysWithoutRun: string[]
  /** Steps of consumers that nobody could share, and how many meters they concern. */
  excluded: { steps: number; points: number }
  /** Runs whose days were not kept: they must be made again. */
  withoutDays: string[]
  unheld: number
  drawn: Drawn[]
  /** Watt-minutes that each producer shared over the month. */
  shared: { producer: string; wattMinutes: number }[]
}

/** All that a month is billed from, as of one moment: exact energy, never a sum that was rounded before. */
export const quantitiesOf = (db: Db, companyId: number, operationId: string, month: string): Promise<Quantities> =>
  snapshot(db, (view) => read(view, companyId, operationId, month))

async function read(db: Db, companyId: number, operationId: string, month: string): Promise<Quantities> {
  const period = { from: `${month}-01`, to: addMonths(`${month}-01`, 1) }
  const days = listDays(period.from, period.to)
  const stays = await staysOf(db, companyId, operationId, period)
  const settings = await settingsOn(db, companyId, addDays(period.to, -1))
  const members = await membersOf(db, companyId, stays, settings)
  const producers = await producersOf(db, companyId, stays, settings)
  const { byDay, runs } = await heldRuns(db, companyId, operationId, period)
  const held = { members: heldBy(members, days), producers: heldBy(producers, days) }
  const runOn = days.map((day) => byDay.get(day))
  const found = await cellsOf(db, { companyId, month: period.from, runOn, ...held })
  const measured = await measuredOf(db, companyId, operationId, period, days.length)
  const theirs = await theirRows(db, companyId, operationId, period, members)
  const provisional = new Set(runs.filter(({ kind }) => kind === 'provisional').map(({ id }) => id))
  const holders = [...held.members.values()]
  const isProvisional = runOn.map((id) => id !== undefined && provisional.has(id))
  return {
    month,
    period,
    days,
    members,
    producers,
    ...found,
    ...theirs,
    runs,
    provisional: [
      ...new Set(
        members
          .filter(({ pointId }) =>
            held.members.get(pointId)?.some((id, at) => id !== undefined && isProvisional[at] === true),
          )
          .map(({ prm }) => prm),
      ),
    ],
    daysWithoutRun: days.filter((_, at) => !runOn[at] && holders.some((own) => own[at] !== undefined)),
    excluded: excludedOf(members, measured),
    drawn: members.map((member) => ({ member: member.id, total: drawnBy(member, measured, days) })),
    shared: sharedBy(producers, measured, days),
  }
}

/** The cells of the month where other energy had been shared among the same people. */
export const cellsUnder = ({ members, producers, days }: Quantities, pairs: Parameters<typeof cellsFrom>[0]) =>
  cellsFrom(pairs, { members: heldBy(members, days), producers: heldBy(producers, days) }, days.length)

async function membersOf(db: Db, companyId: number, stays: Stay[], settings: HeldSettings): Promise<QuantityMember[]> {
  const own = stays.filter(({ direction }) => direction === 'consumption')
  const buyers = await buyersOf(db, companyId, [...new Set(own.map(({ holderId }) => holderId))])
  const rates = settings['accise.rates'].value
  return own.map((stay) => {
    const buyer = buyers.get(stay.holderId)
    const said = buyer?.acciseClass ?? ''
    return memberOf(stay, buyer?.groupId, acciseClassOf(rates, { said, subscribedVa: stay.subscribedVa }))
  })
}

const memberOf = (stay: Stay, group: string | null | undefined, acciseClass: string): QuantityMember => ({
  id: stay.id,
  prm: stay.prm,
  buyer: stay.holderId,
  from: stay.from,
  to: stay.to,
  ...(group ? { group } : {}),
  ...(acciseClass ? { acciseClass } : {}),
  ...(stay.subscribedVa === null ? {} : { kva: Math.round(stay.subscribedVa / 1000) }),
  pointId: stay.pointId,
  label: stay.place,
  name: stay.holder,
})

/** The first holder of the month goes by the meter itself; whoever takes it over, by the day as well. */
async function producersOf(
  db: Db,
  companyId: number,
  stays: Stay[],
  settings: HeldSettings,
): Promise<QuantityProducer[]> {
  const own = stays.filter(({ direction }) => direction === 'production')
  const sellers = new Map((await sellersOf(db, companyId)).map(({ id, participantId }) => [participantId, id]))
  const liable = liableIn(own, settings['accise.thresholdWatts'].value)
  return own.map((stay, at) => {
    const first = own.findIndex(({ pointId }) => pointId === stay.pointId) === at
    return {
      id: first ? stay.pointId : `${stay.pointId}@${stay.from}`,
      seller: sellers.get(stay.holderId) ?? '',
      accise: liable.has(stay.holderId),
      from: stay.from,
      to: stay.to,
      pointId: stay.pointId,
      holderId: stay.holderId,
      label: stay.place || stay.holder,
    }
  })
}

/** A producer's site is all that it has installed here: meters of one holder are not so many small ones (money.md §4.2). */
function liableIn(producers: readonly Stay[], threshold: number): Set<string> {
  const installed = new Map<string, Map<string, number>>()
  for (const { holderId, pointId, peakWatts } of producers)
    installed.set(holderId, (installed.get(holderId) ?? new Map<string, number>()).set(pointId, peakWatts ?? 0))
  const powers = [...installed].map(
    ([id, points]) => [id, [...points.values()].reduce((sum, own) => sum + own, 0)] as const,
  )
  return new Set(powers.filter(([, watts]) => watts >= threshold).map(([id]) => id))
}

async function theirRows(
  db: Db,
  companyId: number,
  operationId: string,
  period: Period,
  members: QuantityMember[],
): Promise<Pick<Quantities, 'distributor' | 'beyond'>> {
  const prms = new Map(members.map(({ pointId, prm }) => [pointId, prm]))
  const due = new Map(
    [...Map.groupBy(members, ({ pointId }) => pointId)].map(([pointId, own]) => [
      pointId,
      own.flatMap((stay) => daysOfStay(stay, period)),
    ]),
  )
  const { rows, beyond } = await billableRows(db, companyId, { operationId, ...period }, due)
  const named = <T extends { pointId: string }>({ pointId, ...row }: T) => ({ prm: prms.get(pointId) ?? '', ...row })
  return { distributor: rows.map(named), beyond: beyond.map(named) }
}

function excludedOf(members: QuantityMember[], measured: Map<string, Measured>): Quantities['excluded'] {
  const points = [...new Set(members.map(({ pointId }) => pointId))]
  const steps = points.map((id) => measured.get(id)?.excluded.reduce((sum, count) => sum + count, 0) ?? 0)
  return { steps: steps.reduce((sum, count) => sum + count, 0), points: steps.filter((count) => count > 0).length }
}

const within = ({ from, to }: Stretch, day: string) => from <= day && (to === null || day < to)

const drawnBy = (member: QuantityMember, measured: Map<string, Measured>, days: string[]) =>
  days.map((day, at) => {
    const own = measured.get(member.pointId)
    // Of a day that lacks steps the whole is not known.
    return within(member, day) && !own?.excluded[at] ? (own?.total[at] ?? null) : null
  })

const sharedBy = (producers: QuantityProducer[], measured: Map<string, Measured>, days: string[]) =>
  producers.map((producer) => ({
    producer: producer.id,
    wattMinutes: days.reduce(
      (sum, day, at) => sum + (within(producer, day) ? (measured.get(producer.pointId)?.local[at] ?? 0) : 0),
      0,
    ),
  }))
