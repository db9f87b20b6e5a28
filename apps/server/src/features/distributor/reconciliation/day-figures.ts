import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { OperationPeriod } from './asked.ts'
import type { AllocatedDay, DistributorDay } from './judge-day.ts'

/** Values by point, then by day. */
export type ByDay<T> = Map<string, Map<string, T>>
export type DayFigures = { ours: ByDay<AllocatedDay>; theirs: ByDay<DistributorDay> }

type OurRow = { pointId: string; day: string; local: string; excluded: number }
type TheirRow = { pointId: string; day: string; energy: string; missing: number }

/** Daily energy of both sides, for all or some points, with the minutes of excluded or missing steps. */
export async function loadDayFigures(
  db: Db,
  companyId: number,
  { operationId, from, to }: OperationPeriod,
  pointIds?: string[],
): Promise<DayFigures> {
  const some = pointIds ? sql`and d.point_id = any(${sql.param(pointIds)}::uuid[])` : sql``
  const { rows: ours } = await db.execute<OurRow>(sql`
    with held as (
      select c.run_id, c.day, o.step_minutes from allocation_coverage c
        join operations o on o.company_id = c.company_id and o.id = c.operation_id
       where c.company_id = ${companyId} and c.operation_id = ${operationId} and c.day >= ${from} and c.day < ${to}),
    worst as (
      select h.run_id, h.day, max(d.excluded) * h.step_minutes as excluded from held h
        join allocation_days d on d.company_id = ${companyId} and d.run_id = h.run_id and d.day = h.day
       group by h.run_id, h.day, h.step_minutes)
    select d.point_id as "pointId", d.day::text, d.local, w.excluded from worst w
      join allocation_days d on d.company_id = ${companyId} and d.run_id = w.run_id and d.day = w.day ${some}`)
  const { rows: theirs } = await db.execute<TheirRow>(sql`
    select d.point_id as "pointId", d.day::text, d.energy, d.missing * d.step as missing from distributor_days d
     where d.company_id = ${companyId} and d.operation_id = ${operationId} and d.type = 'autocons'
       and d.day >= ${from} and d.day < ${to} ${some}`)
  return {
    ours: indexByPointAndDay(ours, ({ local, excluded }) => ({ local: Number(local), excluded })),
    theirs: indexByPointAndDay(theirs, ({ energy, missing }) => ({ energy: Number(energy), missing })),
  }
}

export function indexByPointAndDay<R extends { pointId: string; day: string }, T>(
  rows: R[],
  of: (row: R) => T,
): ByDay<T> {
  const points: ByDay<T> = new Map()
  for (const row of rows) {
    const days = points.get(row.pointId) ?? new Map<string, T>()
    points.set(row.pointId, days)
    days.set(row.day, of(row))
  }
  return points
}
