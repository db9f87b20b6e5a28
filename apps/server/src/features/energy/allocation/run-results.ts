import type { RunPoint } from '@voisol/contract/allocations'
import type { TimeClass } from '@voisol/contract/primitives'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import { unpackInts } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { type AllocationTotals, type DayRow, type PairRow, type TotalRow, toReportedTotals } from './result-rows.ts'

type RunPointResult = z.infer<typeof RunPoint>
type RunRef = { companyId: number; id: string }

/** bigint values arrive as text. */
const toNumber = (text: string | number | null) => Number(text ?? 0)

type PointRow = Pick<RunPointResult, 'pointId' | 'prm' | 'label' | 'direction'> & {
  storage: boolean
  total: string
  local: string
}
type ClassRow = { pointId: string; timeClass: z.infer<typeof TimeClass>; total: string; local: string }

/** Producers first, then by name. */
export async function loadRunPoints(db: Db, { companyId, id }: RunRef): Promise<RunPointResult[]> {
  const { rows } = await db.execute<PointRow>(sql`
    with sums as (
      select point_id, max(day) + 1 as until, sum(total) as total, sum(local) as local
        from allocation_days where company_id = ${companyId} and run_id = ${id} group by 1)
    select p.id as "pointId", p.prm, ${pointNameOnDaySql(companyId, sql`p`, sql`s.until`)} as label, p.direction, p.storage, s.total, s.local
      from sums s join points p on p.company_id = ${companyId} and p.id = s.point_id
     order by p.direction desc, fold(p.label), p.prm`)
  const { rows: classes } = await db.execute<ClassRow>(sql`
    select point_id as "pointId", time_class as "timeClass", sum(total) as total, sum(local) as local
      from allocation_totals where company_id = ${companyId} and run_id = ${id} group by 1, 2`)
  const byPoint = Map.groupBy(classes, ({ pointId }) => pointId)
  return rows.map(({ storage, ...row }) => ({
    ...row,
    ...(storage && { storage }),
    total: toNumber(row.total),
    local: toNumber(row.local),
    classes: Object.fromEntries(
      (byPoint.get(row.pointId) ?? []).map((c) => [
        c.timeClass,
        { total: toNumber(c.total), local: toNumber(c.local) },
      ]),
    ),
  }))
}

type RunDayRow = Record<keyof AllocationTotals, string> & { day: string; excluded: number | null; storage: boolean }

/**
 * A step is excluded when no consumer has a known value; days where several consumers have gaps are compared step by
 * step.
 */
async function countExcludedSteps(db: Db, run: RunRef, days: string[]): Promise<Map<string, number>> {
  if (!days.length) return new Map()
  const { rows } = await db.execute<{ day: string; allocated: Buffer }>(sql`
    select d.day::text, d.allocated from allocation_days d
      join points p on p.company_id = d.company_id and p.id = d.point_id and p.direction = 'consumption'
     where d.company_id = ${run.companyId} and d.run_id = ${run.id} and d.day = any(${sql.param(days)}::date[])`)
  const byDay = Map.groupBy(rows, ({ day }) => day)
  return new Map(
    [...byDay].map(([day, all]) => {
      const curves = all.map(({ allocated }) => unpackInts(allocated))
      const steps = curves[0] ?? new Int32Array(0)
      return [day, steps.reduce((sum, _, at) => sum + (curves.every((own) => (own[at] ?? 0) < 0) ? 1 : 0), 0)]
    }),
  )
}

const toTotals = (sums: Record<keyof AllocationTotals, string>): AllocationTotals => ({
  produced: toNumber(sums.produced),
  consumed: toNumber(sums.consumed),
  allocated: toNumber(sums.allocated),
  charged: toNumber(sums.charged),
  stored: toNumber(sums.stored),
  released: toNumber(sums.released),
  restored: toNumber(sums.restored),
})

export async function loadRunDays(db: Db, run: RunRef) {
  const { companyId, id } = run
  const { rows } = await db.execute<RunDayRow>(sql`
    select d.day::text, min(d.excluded) filter (where p.direction = 'consumption') as excluded,
           sum(d.total) filter (where p.direction = 'production' and not p.storage) as produced,
           sum(d.total) filter (where p.direction = 'consumption' and not p.storage) as consumed,
           sum(d.local) filter (where p.direction = 'consumption' and not p.storage) as allocated,
           sum(d.total) filter (where p.direction = 'consumption' and p.storage) as charged,
           sum(d.local) filter (where p.direction = 'consumption' and p.storage) as stored,
           sum(d.total) filter (where p.direction = 'production' and p.storage) as released,
           sum(d.local) filter (where p.direction = 'production' and p.storage) as restored,
           bool_or(p.storage) as storage
      from allocation_days d join points p on p.company_id = d.company_id and p.id = d.point_id
     where d.company_id = ${companyId} and d.run_id = ${id}
     group by d.day order by d.day`)
  const open = rows.filter(({ excluded }) => excluded)
  const excluded = await countExcludedSteps(
    db,
    run,
    open.map(({ day }) => day),
  )
  return rows.map(({ day, excluded: _, storage, ...sums }) => ({
    day,
    excluded: excluded.get(day) ?? 0,
    ...toReportedTotals(toTotals(sums), storage),
  }))
}

type RunPairRow = { producerId: string; pointId: string; timeClass: z.infer<typeof TimeClass>; energy: string }

export async function loadRunPairs(db: Db, { companyId, id }: RunRef) {
  const { rows } = await db.execute<RunPairRow>(sql`
    select producer_id as "producerId", point_id as "pointId", time_class as "timeClass", sum(energy) as energy
      from allocation_pairs where company_id = ${companyId} and run_id = ${id}
     group by 1, 2, 3 order by 1, 2`)
  const groups = Map.groupBy(rows, ({ producerId, pointId }) => `${producerId} ${pointId}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const classes = Object.fromEntries(group.map(({ timeClass, energy }) => [timeClass, toNumber(energy)]))
    const energy = group.reduce((sum, row) => sum + toNumber(row.energy), 0)
    return [{ producerId: first.producerId, pointId: first.pointId, energy, classes }]
  })
}

export type StoredRunDay = DayRow & { prm: string; direction: 'consumption' | 'production'; storage: boolean }
type StoredRunPoint = Pick<StoredRunDay, 'pointId' | 'direction' | 'storage'>
type StoredRunDayRow = Omit<StoredRunDay, 'allocated' | 'total' | 'local'> & {
  allocated: Buffer
  total: string
  local: string
}

/** The stored rows of a run for some days, by day and point. */
export async function loadRunDayRows(
  db: Db,
  { companyId, id }: RunRef,
  from: string,
  to: string,
): Promise<StoredRunDay[]> {
  const { rows } = await db.execute<StoredRunDayRow>(sql`
    select d.day::text, d.point_id as "pointId", d.allocated, d.total, d.local, d.excluded, p.prm, p.direction, p.storage
      from allocation_days d join points p on p.company_id = d.company_id and p.id = d.point_id
     where d.company_id = ${companyId} and d.run_id = ${id} and d.day >= ${from} and d.day < ${to}
     order by d.day, d.point_id`)
  return rows.map((row) => ({
    ...row,
    allocated: unpackInts(row.allocated),
    total: Number(row.total),
    local: Number(row.local),
  }))
}

export async function loadRunTotalRows(db: Db, { companyId, id }: RunRef): Promise<TotalRow[]> {
  const { rows } = await db.execute<Omit<TotalRow, 'total' | 'local'> & { total: string; local: string }>(sql`
    select month::text, point_id as "pointId", time_class as "timeClass", total, local
      from allocation_totals where company_id = ${companyId} and run_id = ${id}`)
  return rows.map((row) => ({ ...row, total: Number(row.total), local: Number(row.local) }))
}

export async function loadRunPairRows(db: Db, { companyId, id }: RunRef): Promise<PairRow[]> {
  const { rows } = await db.execute<Omit<PairRow, 'energy'> & { energy: string }>(sql`
    select month::text, producer_id as "producerId", point_id as "pointId", time_class as "timeClass", energy
      from allocation_pairs where company_id = ${companyId} and run_id = ${id}`)
  return rows.map((row) => ({ ...row, energy: Number(row.energy) }))
}

/** Every point of a run, since a profile is made from all of them. */
export async function loadRunPointSides(db: Db, { companyId, id }: RunRef): Promise<StoredRunPoint[]> {
  const { rows } = await db.execute<StoredRunPoint>(sql`
    select distinct d.point_id as "pointId", p.direction, p.storage
      from allocation_days d join points p on p.company_id = d.company_id and p.id = d.point_id
     where d.company_id = ${companyId} and d.run_id = ${id}`)
  return rows
}
