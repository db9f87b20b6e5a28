import { addMonths, dayStart } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { classesOf, TIME_CLASSES, type TimeCalendar } from '@voisol/energy/time-classes'
import { and, eq, sql } from 'drizzle-orm'
import { intsOf } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { readMemberships } from './memberships.ts'
import { daysOver } from './scene.ts'
import { type Definitive, definitiveOf, readTheirPeriods } from './their-months.ts'

/** What a consumer was given of a time class over a month. */
export type BilledQuantity = {
  pointId: string
  prm: string
  label: string
  /** A class of the grid's calendar, or what the distributor calls it. */
  name: string
  wh: number
  source: 'distributor' | 'ours'
}

/** By consumer and class what bills are made of: the distributor's definitive quantities, and ours where it gave none. */
export const definitiveQuantities = (db: Db, companyId: number, operationId: string, month: string) =>
  snapshot(db, (view) => readQuantities(view, companyId, operationId, month))

async function readQuantities(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<BilledQuantity[]> {
  const asked = { operationId, from: month, to: addMonths(month, 1) }
  const memberships = (await readMemberships(db, companyId, [asked])).get(operationId)
  if (!memberships) return []
  const periods = Map.groupBy(await readTheirPeriods(db, companyId, [asked]), ({ pointId }) => pointId)
  const days = daysOver(month)
  const ours = await ourClasses(db, companyId, asked)
  const found: BilledQuantity[] = []
  for (const { pointId, prm, label, direction } of memberships.points.values()) {
    if (direction !== 'consumption') continue
    const due = days.filter((day) => memberships.inOurs(pointId, day) && memberships.inTheirs(pointId, day) !== false)
    const quantity = definitiveOf(periods.get(pointId) ?? [], due)
    const theirs = quantity?.covers ? await theirClasses(db, companyId, pointId, quantity) : undefined
    const source = theirs ? ('distributor' as const) : ('ours' as const)
    for (const [name, wh] of theirs ?? ours.get(pointId) ?? []) found.push({ pointId, prm, label, name, wh, source })
  }
  return found
}

async function theirClasses(db: Db, companyId: number, pointId: string, { periods }: Definitive) {
  const classes = new Map<string, number>()
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

/** By consumer, whole watt-hours of each class under the runs in force. */
async function ourClasses(
  db: Db,
  companyId: number,
  { operationId, from, to }: { operationId: string; from: string; to: string },
) {
  const [operation] = await db
    .select({ step: operations.stepMinutes, calendar: operations.timeCalendar })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  const byPoint = new Map<string, Map<string, number>>()
  if (!operation) return byPoint
  const step = operation.step as Step // the column holds only these steps
  const classes = classesOf(dayStart(from), dayStart(to), step, operation.calendar as TimeCalendar) // as the contract wrote it
  const { rows } = await db.execute<Row>(sql`
    select d.point_id as "pointId", d.day::text, d.allocated from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${companyId} and c.operation_id = ${operationId} and c.day >= ${from} and c.day < ${to}`)
  for (const [pointId, days] of Map.groupBy(rows, (row) => row.pointId)) {
    const sums = new Float64Array(TIME_CLASSES.length)
    const seen = new Set<number>()
    for (const { day, allocated } of days) {
      const first = (dayStart(day) - dayStart(from)) / step
      for (const [at, value] of intsOf(allocated).entries()) {
        const index = classes[first + at] ?? 0
        seen.add(index)
        if (value > 0) sums[index] = (sums[index] ?? 0) + value
      }
    }
    const named = [...seen].sort((a, b) => a - b).map((index) => [TIME_CLASSES[index] ?? '', sums[index] ?? 0] as const)
    byPoint.set(pointId, new Map(named.map(([name, sum]) => [name, Math.round(sum / 60)])))
  }
  return byPoint
}
