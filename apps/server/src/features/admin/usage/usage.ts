import type { Usage, UsageMonth } from '@voisol/contract/usage'
import { addMonthsToDay } from '@voisol/money/prorata'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { gatewayLimits } from '../../../db/schema/index.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { loadSubscriptionOverview } from '../subscription/index.ts'

const toUsage = (months: MonthUsage[], limit: number | null = null) => ({
  used: months.at(-1)?.value ?? 0,
  limit,
  months,
})

async function loadCallLimit(db: Db, companyId: number): Promise<number | null> {
  const [row] = await db.select().from(gatewayLimits).where(eq(gatewayLimits.companyId, companyId))
  return row?.perMonth ?? null
}

/** The usage of a company: points as its plan counts them, calls and storage as already recorded. */
export async function loadUsage(db: Db, actor: Actor): Promise<Usage> {
  const { companyId } = actor
  const { points } = await loadSubscriptionOverview(db, actor)
  const months = await loadPointMonths(db, companyId)
  return {
    points: { ...points, months, reached: predictLimitMonth(months, points.used, points.limit) },
    calls: toUsage(await loadCallMonths(db, companyId), await loadCallLimit(db, companyId)),
    storage: toUsage(await loadStorageMonths(db, companyId)),
    mails: toUsage(await loadMailMonths(db, companyId)),
  }
}

const HEADER = ['Mois', 'Points de mesure', 'Appels d’API', 'Fichiers conservés (octets)', 'Messages envoyés']

export async function buildUsageFile(db: Db, actor: Actor) {
  const { points, calls, storage, mails } = await loadUsage(db, actor)
  const rows = points.months.map(({ month, value }, at) => [
    month.slice(0, 7),
    value,
    calls.months[at]?.value ?? 0,
    storage.months[at]?.value ?? 0,
    mails.months[at]?.value ?? 0,
  ])
  return buildTableFile('utilisation', 'csv', HEADER, rows)
}

type MonthUsage = z.infer<typeof UsageMonth>

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
const loadPointMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select count(distinct p.point_id) from participations p
         where p.company_id = ${companyId} and p.starts_on <= m.upto and (p.ends_on is null or p.ends_on > m.upto)`,
  )

/** Calls of API keys as counted daily by the gateway, without refused ones. */
const loadCallMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select coalesce(sum(c.calls), 0) from call_counts c
         where c.company_id = ${companyId} and c.step = 'day' and c.kind = 'key' and c.reason = ''
           and c.at >= m.month::timestamp at time zone 'Europe/Paris'
           and c.at < (m.month + interval '1 month') at time zone 'Europe/Paris'`,
  )

/** Bytes of the current files that existed on the last day of each month; identical content is stored once. */
const loadStorageMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select coalesce(sum(f.size), 0) from (
          select max(size) as size, min(created_at) as created_at from files
           where company_id = ${companyId} group by sha256) f
         where f.created_at < (m.upto + 1)::timestamp at time zone 'Europe/Paris'`,
  )

const loadMailMonths = (db: Db, companyId: number) =>
  loadByMonth(
    db,
    sql`select coalesce(sum(s.sent), 0) from mail_months s where s.company_id = ${companyId} and s.month = m.month`,
  )

/** A trend of three months says nothing about a more distant future. */
const MAX_MONTHS_AHEAD = 24

/**
 * The month in which a limit will be reached at the pace of the last three whole months; null without growth, or when
 * it is too far.
 */
function predictLimitMonth(months: readonly MonthUsage[], used: number, limit: number | null): string | null {
  const running = months.at(-1)
  const [before, last] = [months.at(-5), months.at(-2)]
  if (limit === null || used >= limit || !running || !before || !last || before.value === 0) return null
  const grown = last.value - before.value
  if (grown <= 0) return null
  const needed = Math.ceil(((limit - used) * 3) / grown)
  return needed > MAX_MONTHS_AHEAD ? null : addMonthsToDay(running.month, needed)
}
