import type { UsageMonth } from '@voisol/contract/usage'
import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'

export type MonthUsage = z.infer<typeof UsageMonth>

/** A figure for the month that runs and the twelve before it: of a month `m.month`, or on its last day that has come, `m.upto`. */
async function loadByMonth(db: Db, figure: SQL): Promise<MonthUsage[]> {
  const day = getToday()
  const { rows } = await db.execute<{ month: string; value: string }>(sql`
    with m as (
      select g::date as month, least((g + interval '1 month' - interval '1 day')::date, ${day}::date) as upto
        from generate_series(date_trunc('month', ${day}::date) - interval '12 months',
                             date_trunc('month', ${day}::date), interval '1 month') g)
    select m.month::text as month, (${figure})::bigint::text as value from m order by m.month`)
  return rows.map(({ month, value }) => ({ month, value: Number(value) }))
}

/** Points that took part on the last day. */
export const loadPointMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select count(distinct p.point_id) from participations p
         where p.company_id = ${companyId} and p.starts_on <= m.upto and (p.ends_on is null or p.ends_on > m.upto)`,
  )

/** Calls of keys, as the gateway counted them day by day; those that were refused are not of use to anybody. */
export const loadCallMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select coalesce(sum(c.calls), 0) from call_counts c
         where c.company_id = ${companyId} and c.step = 'day' and c.kind = 'key' and c.reason = ''
           and c.at >= m.month::timestamp at time zone 'Europe/Paris'
           and c.at < (m.month + interval '1 month') at time zone 'Europe/Paris'`,
  )

/** Bytes of the files that are kept today and were there on the last day; equal content is kept once. */
export const loadStorageMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select coalesce(sum(f.size), 0) from (
          select max(size) as size, min(created_at) as created_at from files
           where company_id = ${companyId} group by sha256) f
         where f.created_at < (m.upto + 1)::timestamp at time zone 'Europe/Paris'`,
  )

export const loadMailMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select coalesce(sum(s.sent), 0) from mail_months s where s.company_id = ${companyId} and s.month = m.month`,
  )
