import { addDays, addMonths, listDays } from '@voisol/energy/calendar'
import type { BillingMember, BillingProducer, DistributorRow, EnergyCells } from '@voisol/money/input'
import { sql } from 'drizzle-orm'
import type { Period } from '../../../core/allocation-keys.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { loadBillableRows } from '../../enedis/reconciliation/index.ts'
import { loadBuyers, loadSellers } from '../parties/index.ts'
import { type EffectiveSettings, loadSettingsOn, resolveAcciseClass } from '../settings/index.ts'
import {
  buildQuantityCells,
  listParticipationDays,
  loadCells,
  loadMeasuredDays,
  loadParticipationPeriods,
  type MeasuredDays,
  mapHoldersByDay,
  type ParticipationPeriod,
} from './quantity-sources.ts'

/** A participation at a consumption point in the billing rules' format, with its labels. */
type QuantityMember = BillingMember & { pointId: string; label: string; name: string }
type QuantityProducer = BillingProducer & DateRange & { pointId: string; holderId: string; label: string }
type DateRange = { from: string; to: string | null }
/** What a member drew on each day of the month; null when unknown or not a member. */
type DailyConsumption = { member: string; total: (number | null)[] }

export type MonthQuantities = {
  /** 'YYYY-MM', with its period and days. */
  month: string
  period: Period
  days: string[]
  members: QuantityMember[]
  producers: QuantityProducer[]
  cells: (EnergyCells & { wattMinutes: Float64Array })[]
  distributor: DistributorRow[]
  /** Distributor quantities that extend beyond the month, and cannot be split. */
  beyond: { prm: string; from: string; to: string }[]
  /** Meters with a day from a provisional run. */
  provisional: string[]
  runs: EffectiveRun[]
  /** Days with members and without a run in force. */
  daysWithoutRun: string[]
  /** Consumer steps that could not be allocated, and the number of meters concerned. */
  excluded: { steps: number; points: number }
  /** Runs whose daily figures were not stored: they must be computed again. */
  withoutDays: string[]
  unheld: number
  drawn: DailyConsumption[]
  /** Watt-minutes that each producer shared over the month. */
  shared: { producer: string; wattMinutes: number }[]
}

/** Everything a month is billed from, in one snapshot: exact energies, never rounded sums. */
export const loadQuantities = (
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<MonthQuantities> =>
  readSnapshot(db, (view) => loadQuantitiesFromSnapshot(view, companyId, operationId, month))

async function loadQuantitiesFromSnapshot(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<MonthQuantities> {
  const period = { from: `${month}-01`, to: addMonths(`${month}-01`, 1) }
  const days = listDays(period.from, period.to)
  const participations = await loadParticipationPeriods(db, companyId, operationId, period)
  const settings = await loadSettingsOn(db, companyId, addDays(period.to, -1))
  const members = await loadQuantityMembers(db, companyId, participations, settings)
  const producers = await loadQuantityProducers(db, companyId, participations, settings)
  const { byDay, runs } = await loadEffectiveRuns(db, companyId, operationId, period)
  const holdersByPoint = { members: mapHoldersByDay(members, days), producers: mapHoldersByDay(producers, days) }
  const runOn = days.map((day) => byDay.get(day))
  const cellsResult = await loadCells(db, { companyId, month: period.from, runOn, ...holdersByPoint })
  const measured = await loadMeasuredDays(db, companyId, operationId, period, days.length)
  const distributorRows = await loadDistributorRows(db, companyId, operationId, period, members)
  const provisional = new Set(runs.filter(({ kind }) => kind === 'provisional').map(({ id }) => id))
  const memberHolders = [...holdersByPoint.members.values()]
  const isProvisional = runOn.map((id) => id !== undefined && provisional.has(id))
  return {
    month,
    period,
    days,
    members,
    producers,
    ...cellsResult,
    ...distributorRows,
    runs,
    provisional: [
      ...new Set(
        members
          .filter(({ pointId }) =>
            holdersByPoint.members.get(pointId)?.some((id, at) => id !== undefined && isProvisional[at] === true),
          )
          .map(({ prm }) => prm),
      ),
    ],
    daysWithoutRun: days.filter((_, at) => !runOn[at] && memberHolders.some((own) => own[at] !== undefined)),
    excluded: countExcludedSteps(members, measured),
    drawn: members.map((member) => ({ member: member.id, total: listDailyConsumption(member, measured, days) })),
    shared: sumSharedByProducer(producers, measured, days),
  }
}

/** The cells of the month if other energy had been allocated among the same members. */
export const buildCellsFromPairs = (
  { members, producers, days }: MonthQuantities,
  pairs: Parameters<typeof buildQuantityCells>[0],
) =>
  buildQuantityCells(
    pairs,
    { members: mapHoldersByDay(members, days), producers: mapHoldersByDay(producers, days) },
    days.length,
  )

async function loadQuantityMembers(
  db: Db,
  companyId: number,
  participationPeriods: ParticipationPeriod[],
  settings: EffectiveSettings,
): Promise<QuantityMember[]> {
  const own = participationPeriods.filter(({ direction }) => direction === 'consumption')
  const buyers = await loadBuyers(db, companyId, [...new Set(own.map(({ holderId }) => holderId))])
  const rates = settings['accise.rates'].value
  return own.map((period) => {
    const buyer = buyers.get(period.holderId)
    const statedClass = buyer?.acciseClass ?? ''
    return toQuantityMember(
      period,
      buyer?.groupId,
      resolveAcciseClass(rates, { said: statedClass, subscribedVa: period.subscribedVa }),
    )
  })
}

const toQuantityMember = (
  period: ParticipationPeriod,
  group: string | null | undefined,
  acciseClass: string,
): QuantityMember => ({
  id: period.id,
  prm: period.prm,
  buyer: period.holderId,
  from: period.from,
  to: period.to,
  ...(group ? { group } : {}),
  ...(acciseClass ? { acciseClass } : {}),
  ...(period.subscribedVa === null ? {} : { kva: Math.round(period.subscribedVa / 1000) }),
  pointId: period.pointId,
  label: period.place,
  name: period.holder,
})

/** The first holder in the month has the meter's id; a later holder has the start day added. */
async function loadQuantityProducers(
  db: Db,
  companyId: number,
  participationPeriods: ParticipationPeriod[],
  settings: EffectiveSettings,
): Promise<QuantityProducer[]> {
  const own = participationPeriods.filter(({ direction }) => direction === 'production')
  const sellers = new Map((await loadSellers(db, companyId)).map(({ id, participantId }) => [participantId, id]))
  const liable = findAcciseLiableHolders(own, settings['accise.thresholdWatts'].value)
  return own.map((period, at) => {
    const first = own.findIndex(({ pointId }) => pointId === period.pointId) === at
    return {
      id: first ? period.pointId : `${period.pointId}@${period.from}`,
      seller: sellers.get(period.holderId) ?? '',
      accise: liable.has(period.holderId),
      from: period.from,
      to: period.to,
      pointId: period.pointId,
      holderId: period.holderId,
      label: period.place || period.holder,
    }
  })
}

/**
 * The power of a producer's site is the sum of all its meters here: several meters of one holder do not count as small
 * sites (money.md §4.2).
 */
function findAcciseLiableHolders(producers: readonly ParticipationPeriod[], threshold: number): Set<string> {
  const installed = new Map<string, Map<string, number>>()
  for (const { holderId, pointId, peakWatts } of producers)
    installed.set(holderId, (installed.get(holderId) ?? new Map<string, number>()).set(pointId, peakWatts ?? 0))
  const powers = [...installed].map(
    ([id, points]) => [id, [...points.values()].reduce((sum, own) => sum + own, 0)] as const,
  )
  return new Set(powers.filter(([, watts]) => watts >= threshold).map(([id]) => id))
}

async function loadDistributorRows(
  db: Db,
  companyId: number,
  operationId: string,
  period: Period,
  members: QuantityMember[],
): Promise<Pick<MonthQuantities, 'distributor' | 'beyond'>> {
  const prms = new Map(members.map(({ pointId, prm }) => [pointId, prm]))
  const daysByPoint = new Map(
    [...Map.groupBy(members, ({ pointId }) => pointId)].map(([pointId, own]) => [
      pointId,
      own.flatMap((participationPeriod) => listParticipationDays(participationPeriod, period)),
    ]),
  )
  const { rows, beyond } = await loadBillableRows(db, companyId, { operationId, ...period }, daysByPoint)
  const withPrm = <T extends { pointId: string }>({ pointId, ...row }: T) => ({ prm: prms.get(pointId) ?? '', ...row })
  return { distributor: rows.map(withPrm), beyond: beyond.map(withPrm) }
}

function countExcludedSteps(
  members: QuantityMember[],
  measured: Map<string, MeasuredDays>,
): MonthQuantities['excluded'] {
  const points = [...new Set(members.map(({ pointId }) => pointId))]
  const steps = points.map((id) => measured.get(id)?.excluded.reduce((sum, count) => sum + count, 0) ?? 0)
  return { steps: steps.reduce((sum, count) => sum + count, 0), points: steps.filter((count) => count > 0).length }
}

const isInRange = ({ from, to }: DateRange, day: string) => from <= day && (to === null || day < to)

const listDailyConsumption = (member: QuantityMember, measured: Map<string, MeasuredDays>, days: string[]) =>
  days.map((day, at) => {
    const own = measured.get(member.pointId)
    // The total of a day with missing steps is unknown.
    return isInRange(member, day) && !own?.excluded[at] ? (own?.total[at] ?? null) : null
  })

const sumSharedByProducer = (producers: QuantityProducer[], measured: Map<string, MeasuredDays>, days: string[]) =>
  producers.map((producer) => ({
    producer: producer.id,
    wattMinutes: days.reduce(
      (sum, day, at) => sum + (isInRange(producer, day) ? (measured.get(producer.pointId)?.local[at] ?? 0) : 0),
      0,
    ),
  }))

type EffectiveRun = {
  id: string
  kind: 'provisional' | 'definitive'
  from: string
  to: string
  resultHash: string
  /** Why its figures are outdated; empty when they are not. */
  stale: string
  keys: { id: string; number: number }[]
}
type Row = { day: string; runId: string }

/** The run in force on each day of the month, and the list of these runs. */
async function loadEffectiveRuns(
  db: Db,
  companyId: number,
  operationId: string,
  { from, to }: Period,
): Promise<{ byDay: Map<string, string>; runs: EffectiveRun[] }> {
  const { rows } = await db.execute<Row>(sql`
    select day::text, run_id as "runId" from allocation_coverage
     where company_id = ${companyId} and operation_id = ${operationId} and day >= ${from} and day < ${to}`)
  const ids = [...new Set(rows.map(({ runId }) => runId))]
  const { rows: runs } = await db.execute<EffectiveRun>(sql`
    select id, kind, starts_on::text as from, ends_on::text as to, coalesce(result_hash, '') as "resultHash",
           case when stale_at is null then '' else coalesce(nullif(stale_reason, ''), 'Des données ont changé depuis.') end as stale,
           key_ids as keys
      from allocation_runs where company_id = ${companyId} and id = any(${sql.param(ids)}::uuid[])
     order by starts_on, id`)
  return { byDay: new Map(rows.map(({ day, runId }) => [day, runId])), runs }
}
