import { addDays, addMonths, dayStart } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { computeTimeClasses, TIME_CLASSES, type TimeCalendar } from '@voisol/energy/time-classes'
import { and, eq, sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/readings.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import {
  chooseDefinitiveQuantity,
  type DefinitiveQuantity,
  loadDistributorPeriods,
  loadMemberships,
} from './month-sources.ts'
import { listPastDays } from './reconciliation-context.ts'

/** Watt-hours by time class. */
export type EnergyByClass = Map<string, number>

export async function loadDistributorClasses(
  db: Db,
  companyId: number,
  pointId: string,
  { periods }: DefinitiveQuantity,
): Promise<EnergyByClass> {
  const classes: EnergyByClass = new Map()
  for (const { from, to, source, calendar } of periods) {
    const { rows } = await db.execute<{ name: string; wh: string }>(sql`
      select name, wh from distributor_quantities
       where company_id = ${companyId} and point_id = ${pointId} and from_day = ${from} and to_day = ${to}
         and type = 'autocons' and source = ${source} and calendar = ${calendar} and superseded_at is null
       order by name`)
    for (const { name, wh } of rows) classes.set(name, (classes.get(name) ?? 0) + Number(wh))
  }
  return classes
}

type Row = { pointId: string; day: string; allocated: Buffer }

/**
 * By point, whole watt-hours of each class under the current runs; with a shift, each day is classified as the day so
 * many days before.
 */
export async function loadAllocatedClasses(
  db: Db,
  companyId: number,
  { operationId, from, to }: { operationId: string; from: string; to: string },
  shift = 0,
): Promise<Map<string, EnergyByClass>> {
  const [operation] = await db
    .select({ step: operations.stepMinutes, calendar: operations.timeCalendar })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  const byPoint = new Map<string, EnergyByClass>()
  if (!operation) return byPoint
  const step = operation.step as Step // the column holds only these steps
  const first = dayStart(addDays(from, -shift))
  const classes = computeTimeClasses(first, dayStart(addDays(to, -shift)), step, operation.calendar as TimeCalendar) // as the contract wrote it
  const { rows } = await db.execute<Row>(sql`
    select d.point_id as "pointId", d.day::text, d.allocated from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${companyId} and c.operation_id = ${operationId} and c.day >= ${from} and c.day < ${to}`)
  for (const [pointId, days] of Map.groupBy(rows, (row) => row.pointId)) {
    const sums = new Float64Array(TIME_CLASSES.length)
    const seen = new Set<number>()
    for (const { day, allocated } of days) {
      const place = (dayStart(addDays(day, -shift)) - first) / step
      for (const [at, value] of unpackInts(allocated).entries()) {
        const index = classes[place + at] ?? 0
        seen.add(index)
        if (value > 0) sums[index] = (sums[index] ?? 0) + value
      }
    }
    const named = [...seen].sort((a, b) => a - b).map((index) => [TIME_CLASSES[index] ?? '', sums[index] ?? 0] as const)
    byPoint.set(pointId, new Map(named.map(([name, sum]) => [name, Math.round(sum / 60)])))
  }
  return byPoint
}

/** The energy of a consumer in a time class over a month. */
type BilledQuantity = {
  pointId: string
  prm: string
  label: string
  /** A time class of the grid tariff, or the distributor's own name. */
  name: string
  wh: number
  source: 'distributor' | 'ours'
}

/** The quantities that are billed, by consumer and class: definitive ones of the distributor, or else ours. */
export const loadBilledQuantities = (db: Db, companyId: number, operationId: string, month: string) =>
  readSnapshot(db, (view) => readBilledQuantities(view, companyId, operationId, month))

async function readBilledQuantities(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<BilledQuantity[]> {
  const asked = { operationId, from: month, to: addMonths(month, 1) }
  const memberships = (await loadMemberships(db, companyId, [asked])).get(operationId)
  if (!memberships) return []
  const periods = Map.groupBy(await loadDistributorPeriods(db, companyId, [asked]), ({ pointId }) => pointId)
  const days = listPastDays(month)
  const ours = await loadAllocatedClasses(db, companyId, asked)
  const found: BilledQuantity[] = []
  for (const { pointId, prm, label, direction } of memberships.points.values()) {
    if (direction !== 'consumption') continue
    const due = days.filter((day) => memberships.inOurs(pointId, day) && memberships.inTheirs(pointId, day) !== false)
    const quantity = chooseDefinitiveQuantity(periods.get(pointId) ?? [], due)
    const theirs = quantity?.covers ? await loadDistributorClasses(db, companyId, pointId, quantity) : undefined
    const source = theirs ? ('distributor' as const) : ('ours' as const)
    for (const [name, wh] of theirs ?? ours.get(pointId) ?? []) found.push({ pointId, prm, label, name, wh, source })
  }
  return found
}
