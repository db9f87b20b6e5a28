import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { RETURNING_ONE } from '../../../db/gathered.ts'
import type { RunPart } from './compute.ts'
import type { DailyPair, DayRow, TotalRow } from './rows.ts'

type RunRef = { companyId: number; id: string }

const toBytes = ({ buffer, byteOffset, byteLength }: Int32Array | Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength)
const toSqlArrayParam = <T>(rows: T[], value: (row: T) => unknown) => sql.param(rows.map(value))

/** Stores a part of a run, in the same transaction as all parts and the end of the run. */
export async function writeRunPart(tx: Db, run: RunRef, { days, totals, pairs }: RunPart): Promise<void> {
  if (days.length) await writeDayRows(tx, run, days)
  if (totals.length) await writeTotalRows(tx, run, totals)
  if (pairs.length) await writePairRows(tx, run, pairs)
}

const writeDayRows = (tx: Db, { companyId, id }: RunRef, rows: DayRow[]) =>
  tx.execute(sql`
    insert into allocation_days (company_id, run_id, point_id, day, allocated, total, local, excluded)
    select ${companyId}, ${id}, * from unnest(
      ${toSqlArrayParam(rows, (row) => row.pointId)}::uuid[], ${toSqlArrayParam(rows, (row) => row.day)}::date[],
      ${toSqlArrayParam(rows, (row) => toBytes(row.allocated))}::bytea[], ${toSqlArrayParam(rows, (row) => row.total)}::bigint[],
      ${toSqlArrayParam(rows, (row) => row.local)}::bigint[], ${toSqlArrayParam(rows, (row) => row.excluded)}::smallint[]) ${RETURNING_ONE}`)

const writeTotalRows = (tx: Db, { companyId, id }: RunRef, rows: TotalRow[]) =>
  tx.execute(sql`
    insert into allocation_totals (company_id, run_id, point_id, month, time_class, total, local)
    select ${companyId}, ${id}, * from unnest(
      ${toSqlArrayParam(rows, (row) => row.pointId)}::uuid[], ${toSqlArrayParam(rows, (row) => row.month)}::date[],
      ${toSqlArrayParam(rows, (row) => row.timeClass)}::text[], ${toSqlArrayParam(rows, (row) => row.total)}::bigint[],
      ${toSqlArrayParam(rows, (row) => row.local)}::bigint[]) ${RETURNING_ONE}`)

const writePairRows = (tx: Db, { companyId, id }: RunRef, rows: DailyPair[]) =>
  tx.execute(sql`
    insert into allocation_pairs (company_id, run_id, producer_id, point_id, month, time_class, energy, days)
    select ${companyId}, ${id}, * from unnest(
      ${toSqlArrayParam(rows, (row) => row.producerId)}::uuid[], ${toSqlArrayParam(rows, (row) => row.pointId)}::uuid[],
      ${toSqlArrayParam(rows, (row) => row.month)}::date[], ${toSqlArrayParam(rows, (row) => row.timeClass)}::text[],
      ${toSqlArrayParam(rows, (row) => row.energy)}::bigint[], ${toSqlArrayParam(rows, (row) => toBytes(row.days))}::bytea[]) ${RETURNING_ONE}`)

/** Puts the run in force for its days: definitive runs win over provisional ones, then the latest wins. */
export const updateCoverage = (tx: Db, { companyId, id }: RunRef) =>
  tx.execute(sql`
    insert into allocation_coverage (company_id, operation_id, day, run_id)
    select r.company_id, r.operation_id, d.day::date, r.id
      from allocation_runs r
      cross join lateral generate_series(r.starts_on, r.ends_on - 1, interval '1 day') d(day)
      left join allocation_coverage h on h.company_id = r.company_id and h.operation_id = r.operation_id and h.day = d.day::date
      left join allocation_runs o on o.company_id = h.company_id and o.id = h.run_id
     where r.company_id = ${companyId} and r.id = ${id} and (o.id is null
        or (r.kind = 'definitive' or o.kind <> 'definitive') and (r.kind <> o.kind or r.created_at >= o.created_at))
    on conflict (company_id, operation_id, day) do update set run_id = excluded.run_id`)
