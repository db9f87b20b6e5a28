import type { UsageMonth } from '@voisol/contract/usage'
import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'

export type MonthUsage = z.infer<typeof UsageMonth>

/**
 * A figure for the current month and the twelve before it. The query refers to a month as `m.month`, and to its last
 * past day as `m.upto`.
 */
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

/** Points taking part on the last day of each month. */
export const loadPointMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select count(distinct p.point_id) from participations p
         where p.company_id = ${companyId} and p.starts_on <= m.upto and (p.ends_on is null or p.ends_on > m.upto)`,
  )

/** Calls of API keys as counted daily by the gateway, without refused ones. */
export const loadCallMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select coalesce(sum(c.calls), 0) from call_counts c
         where c.company_id = ${companyId} and c.step = 'day' and c.kind = 'key' and c.reason = ''
           and c.at >= m.month::timestamp at time zone 'Europe/Paris'
           and c.at < (m.month + interval '1 month') at time zone 'Europe/Paris'`,
  )

/** Bytes of the current files that existed on the last day of each month; identical content is stored once. */
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
