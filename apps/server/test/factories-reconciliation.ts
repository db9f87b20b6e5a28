import { type DifferenceRow, type ReconciledMonth, reconciliation } from '@voisol/contract/reconciliation'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { EnedisCurvePoint, EnedisQuantity } from '../src/adapters/enedis/types.ts'
import { unpackInts } from '../src/core/packed.ts'
import type { Db } from '../src/db/client.ts'
import { storeDefinitiveQuantities, storeDistributorSeries } from '../src/features/distributor/reconciliation/theirs.ts'
import { call, type TestServer } from './client.ts'
import { makeOperationFixture, requestKeyAdoption } from './factories-allocations.ts'

type OperationPlace = { companyId: number; operation: { id: string } }
type OperationReader = { operation: { id: string }; token: string }
export type AllocatedStep = { pointId: string; day: string; at: number; watts: number }
type AllocatedDayRow = { pointId: string; day: string; allocated: Buffer }

/** The steps of a day as a curve in the distributor's format; null where missing. */
export const toDistributorPoints = (day: string, watts: (number | null)[], minutes = 15): EnedisCurvePoint[] =>
  watts.flatMap((value, at) =>
    value === null ? [] : [{ end: dayStart(day) + (at + 1) * minutes, minutes, watts: value, quality: 'raw' as const }],
  )

type DistributorSeriesInput = { pointId: string; points: EnedisCurvePoint[]; from: string; to: string }

const storeOperationSeries = (
  db: Db,
  { companyId, operation }: OperationPlace,
  { pointId, points, from, to }: DistributorSeriesInput,
) =>
  storeDistributorSeries(db, {
    companyId,
    operationId: operation.id,
    pointId,
    type: 'autocons',
    from,
    to,
    receivedAt: new Date(),
    curve: { prm: '', direction: 'consumption', points },
  })

export const storeDistributorDay = (db: Db, place: OperationPlace, pointId: string, day: string, watts: number[]) =>
  storeOperationSeries(db, place, { pointId, points: toDistributorPoints(day, watts), from: day, to: addDays(day, 1) })

/** Stores the allocation in force as the distributor's series, altered by `change`; null removes a value. */
export async function storeAllocatedAsDistributorSeries(
  db: Db,
  place: OperationPlace,
  change: (step: AllocatedStep) => number | null = ({ watts }) => watts,
) {
  const { rows } = await db.execute<AllocatedDayRow>(sql`
    select d.point_id as "pointId", d.day::text, d.allocated from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${place.companyId} and c.operation_id = ${place.operation.id} order by d.point_id, d.day`)
  for (const [pointId, days] of Map.groupBy(rows, (row) => row.pointId)) {
    const points = days.flatMap(({ day, allocated }) => {
      const means = Array.from(unpackInts(allocated), (value) => Math.max(0, Math.round(value / 15)))
      return toDistributorPoints(
        day,
        means.map((watts, at) => change({ pointId, day, at, watts })),
      )
    })
    await storeOperationSeries(db, place, { pointId, points, from: '2000-01-01', to: '2100-01-01' })
  }
}

type QuantityClasses = {
  from: string
  to: string
  classes: Record<string, number>
  source?: 'api' | 'R15'
  receivedAt?: Date
}

/** In kilowatt-hours by class. */
export function storeMonthQuantities(
  db: Db,
  { companyId, operation }: OperationPlace,
  pointId: string,
  given: QuantityClasses,
) {
  const { from, to, classes, source = 'api', receivedAt = new Date() } = given
  const quantities = Object.entries(classes).map(
    ([name, kwh]): EnedisQuantity => ({ type: 'autocons', calendar: 'DISTRIB', name, wh: kwh * 1000 }),
  )
  return storeDefinitiveQuantities(db, {
    companyId,
    operationId: operation.id,
    pointId,
    from,
    to,
    source,
    quantities,
    receivedAt,
  })
}

type HalvesMeter = { watts: number | ((at: number) => number); startsOn?: string }
type OperationFixture = Awaited<ReturnType<typeof makeOperationFixture>>

export const getConsumerIds = ({ consumers }: OperationFixture) => consumers.map(({ id }) => id)
export const buildConsumerShares = (scene: OperationFixture, ...parts: number[]) =>
  getConsumerIds(scene).map((pointId, at) => ({ pointId, share: parts[at] ?? 0 }))

/** One roof of 1 000 W and two homes with the same consumption, half of the roof each. */
export async function makeEqualHalvesFixture(
  server: TestServer,
  period: { from: string; to: string },
  meters: HalvesMeter[] = [],
) {
  const consumers = [meters[0] ?? { watts: 1000 }, meters[1] ?? { watts: 1000 }]
  const scene = await makeOperationFixture(server, { ...period, producers: [1000], consumers })
  await requestKeyAdoption(server, scene, { method: 'static', shares: buildConsumerShares(scene, 500_000, 500_000) })
  return scene
}

export async function fetchReconciledMonths(
  server: TestServer,
  { operation, token }: OperationReader,
): Promise<ReconciledMonth[]> {
  const { body } = await call(server, reconciliation.months, { params: { id: operation.id } }, { token })
  return body.items
}

export type DifferenceRowsQuery = { month: string; level?: string; pointId?: string; day?: string }

export async function fetchDifferenceRows(
  server: TestServer,
  { operation, token }: OperationReader,
  query: DifferenceRowsQuery,
): Promise<DifferenceRow[]> {
  const input = { params: { id: operation.id }, query }
  const { body, status, text } = await call(server, reconciliation.rows, input, { token })
  if (status !== 200) throw new Error(text)
  return body.items
}

export const mapCausesByPoint = (rows: DifferenceRow[]) =>
  Object.fromEntries(rows.map(({ pointId, cause }) => [pointId, cause]))
