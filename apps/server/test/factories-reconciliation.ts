import { type DifferenceRow, type ReconciledMonth, reconciliation } from '@voisol/contract/reconciliation'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { CurvePoint, Quantity } from '../src/adapters/enedis/types.ts'
import { intsOf } from '../src/core/packed.ts'
import type { Db } from '../src/db/client.ts'
import { keepQuantities, keepSeries } from '../src/features/distributor/reconciliation/theirs.ts'
import { call, type Server } from './client.ts'
import { adoptKey, makeScene } from './factories-allocations.ts'

type Place = { companyId: number; operation: { id: string } }
type Reader = { operation: { id: string }; token: string }
export type OurStep = { pointId: string; day: string; at: number; watts: number }
type Row = { pointId: string; day: string; allocated: Buffer }

/** The mean of each step of a day, as a curve of the distributor; null where nothing came. */
export const curveOf = (day: string, watts: (number | null)[], minutes = 15): CurvePoint[] =>
  watts.flatMap((value, at) =>
    value === null ? [] : [{ end: dayStart(day) + (at + 1) * minutes, minutes, watts: value, quality: 'raw' as const }],
  )

type Given = { pointId: string; points: CurvePoint[]; from: string; to: string }

const give = (db: Db, { companyId, operation }: Place, { pointId, points, from, to }: Given) =>
  keepSeries(db, {
    companyId,
    operationId: operation.id,
    pointId,
    type: 'autocons',
    from,
    to,
    receivedAt: new Date(),
    curve: { prm: '', direction: 'consumption', points },
  })

export const giveDay = (db: Db, place: Place, pointId: string, day: string, watts: number[]) =>
  give(db, place, { pointId, points: curveOf(day, watts), from: day, to: addDays(day, 1) })

/** The distributor gives what the runs in force gave, but for what `change` says; null where it gives nothing. */
export async function giveOurs(db: Db, place: Place, change: (step: OurStep) => number | null = ({ watts }) => watts) {
  const { rows } = await db.execute<Row>(sql`
    select d.point_id as "pointId", d.day::text, d.allocated from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${place.companyId} and c.operation_id = ${place.operation.id} order by d.point_id, d.day`)
  for (const [pointId, days] of Map.groupBy(rows, (row) => row.pointId)) {
    const points = days.flatMap(({ day, allocated }) => {
      const means = Array.from(intsOf(allocated), (value) => Math.max(0, Math.round(value / 15)))
      return curveOf(
        day,
        means.map((watts, at) => change({ pointId, day, at, watts })),
      )
    })
    await give(db, place, { pointId, points, from: '2000-01-01', to: '2100-01-01' })
  }
}

type Classes = { from: string; to: string; classes: Record<string, number>; source?: 'api' | 'R15'; receivedAt?: Date }

/** Kilowatt-hours by class. */
export function giveQuantities(db: Db, { companyId, operation }: Place, pointId: string, given: Classes) {
  const { from, to, classes, source = 'api', receivedAt = new Date() } = given
  const quantities = Object.entries(classes).map(
    ([name, kwh]): Quantity => ({ type: 'autocons', calendar: 'DISTRIB', name, wh: kwh * 1000 }),
  )
  return keepQuantities(db, { companyId, operationId: operation.id, pointId, from, to, source, quantities, receivedAt })
}

type Meter = { watts: number | ((at: number) => number); startsOn?: string }
type Scene = Awaited<ReturnType<typeof makeScene>>

export const idsOf = ({ consumers }: Scene) => consumers.map(({ id }) => id)
export const sharesOf = (scene: Scene, ...parts: number[]) =>
  idsOf(scene).map((pointId, at) => ({ pointId, share: parts[at] ?? 0 }))

/** One roof of 1 000 W and two homes that draw as much, half of it each. */
export async function makeHalves(server: Server, period: { from: string; to: string }, meters: Meter[] = []) {
  const consumers = [meters[0] ?? { watts: 1000 }, meters[1] ?? { watts: 1000 }]
  const scene = await makeScene(server, { ...period, producers: [1000], consumers })
  await adoptKey(server, scene, { method: 'static', shares: sharesOf(scene, 500_000, 500_000) })
  return scene
}

export async function monthsOf(server: Server, { operation, token }: Reader): Promise<ReconciledMonth[]> {
  const { body } = await call(server, reconciliation.months, { params: { id: operation.id } }, { token })
  return body.items
}

export type Query = { month: string; level?: string; pointId?: string; day?: string }

export async function rowsOf(server: Server, { operation, token }: Reader, query: Query): Promise<DifferenceRow[]> {
  const input = { params: { id: operation.id }, query }
  const { body, status, text } = await call(server, reconciliation.rows, input, { token })
  if (status !== 200) throw new Error(text)
  return body.items
}

export const causesOf = (rows: DifferenceRow[]) =>
  Object.fromEntries(rows.map(({ pointId, cause }) => [pointId, cause]))
