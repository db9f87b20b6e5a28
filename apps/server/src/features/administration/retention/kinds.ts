import type { RetentionKind } from '@voisol/contract/retention-kinds'
import { type SQL, sql } from 'drizzle-orm'
import { loadFirstRetainedDay } from '../../../core/retired.ts'
import type { Db } from '../../../db/client.ts'

/** The rows of a kind that are older than the first kept day; `month` is the expression by which they are counted. */
type OldRowsQuery = (companyId: number, before: string) => { from: SQL; month: SQL }

const toParisDayStart = (before: string) => sql`(${before}::date::timestamp at time zone 'Europe/Paris')`

export const OLD_ROWS: Record<Exclude<RetentionKind, 'curves'>, OldRowsQuery> = {
  imports: (companyId, before) => ({
    from: sql`curve_imports r where r.company_id = ${companyId} and r.finished_at < ${toParisDayStart(before)}`,
    month: sql`r.finished_at`,
  }),
  consents: (companyId, before) => ({
    from: sql`consents r where r.company_id = ${companyId}
      and least(r.withdrawn_at, ${sql.raw('r.expires_on')}::timestamptz) < ${toParisDayStart(before)}`,
    month: sql`least(r.withdrawn_at, r.expires_on::timestamptz)`,
  }),
  tickets: (companyId, before) => ({
    from: sql`tickets r where r.company_id = ${companyId} and r.state in ('solved', 'closed')
      and r.last_message_at < ${toParisDayStart(before)}`,
    month: sql`r.last_message_at`,
  }),
  notifications: (companyId, before) => ({
    from: sql`notifications r where r.company_id = ${companyId} and r.created_at < ${toParisDayStart(before)}`,
    month: sql`r.created_at`,
  }),
  // Only the first entries without a gap, so that the hash chain stays valid: an entry with an earlier clock time keeps
  // those after it.
  audit: (companyId, before) => ({
    from: sql`audit_entries r where r.company_id = ${companyId} and r.at < ${toParisDayStart(before)} and r.seq < (
      select coalesce(min(seq), 9223372036854775807) from audit_entries
       where company_id = ${companyId} and at >= ${toParisDayStart(before)})`,
    month: sql`r.at`,
  }),
}

async function buildOldCurvesQuery(db: Db, companyId: number, before: string): Promise<{ from: SQL; month: SQL }> {
  const done = (await loadFirstRetainedDay(db, companyId)) ?? '1970-01-01'
  return {
    from: sql`curve_days r where r.company_id = ${companyId} and r.day >= ${done} and r.day < ${before}`,
    month: sql`r.day`,
  }
}

/** Number of rows of a kind that have passed their retention period, by month. */
export async function countOldRows(db: Db, companyId: number, kind: RetentionKind, before: string) {
  const { from, month } =
    kind === 'curves' ? await buildOldCurvesQuery(db, companyId, before) : OLD_ROWS[kind](companyId, before)
  const { rows } = await db.execute<{ month: string; n: number }>(
    sql`select to_char(${month}, 'YYYY-MM') as month, count(*)::int as n from ${from} group by 1 order by 1`,
  )
  return {
    count: rows.reduce((sum, { n }) => sum + n, 0),
    months: Object.fromEntries(rows.map((row) => [row.month, row.n])),
  }
}
