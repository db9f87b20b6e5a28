import { sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import type { RunRef } from './results.ts'
import type { DayRow, PairRow, TotalRow } from './rows.ts'

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
