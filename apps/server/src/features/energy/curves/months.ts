import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'

export type PointMonth = { pointId: string; month: string }

/** Letter of a day: m without reading, p partial, d with doubtful values, e with estimates, c corrected, r raw. */
const dayLetterSql = sql`case when present = 0 then 'm' when present < expected then 'p' when quality = 4 then 'd'
  when quality = 3 then 'e' when quality = 2 then 'c' else 'r' end`

/** Recomputes the months from their current days: sums are never updated by differences. */
export async function recomputeCurveMonths(tx: Db, companyId: number, months: PointMonth[]): Promise<void> {
  if (!months.length) return
  await tx.execute(sql`
    insert into curve_months (company_id, point_id, month, days, present, expected, energy, peak, mask, letters, received_at)
    select ${companyId}, t.point_id, t.month, s.days, s.present, s.expected, s.energy, s.peak, coalesce(s.mask, 0), coalesce(s.letters, ''), s.received_at
    from unnest(${sql.param(months.map(({ pointId }) => pointId))}::uuid[],
      ${sql.param(months.map(({ month }) => month))}::date[]) t(point_id, month)
    cross join lateral (
      select count(*) as days, sum(present) as present, sum(expected) as expected, sum(energy) as energy,
        max(peak) as peak, bit_or(1 << (extract(day from day)::int - 1)) as mask,
        string_agg(${dayLetterSql}, '' order by day) as letters, max(received_at) as received_at
      from curve_days d
      where d.company_id = ${companyId} and d.point_id = t.point_id and d.day >= t.month
        and d.day < (t.month + interval '1 month')::date and d.superseded_at is null) s
    on conflict (company_id, point_id, month) do update set days = excluded.days, present = excluded.present,
      expected = excluded.expected, energy = excluded.energy, peak = excluded.peak, mask = excluded.mask,
      letters = excluded.letters, received_at = excluded.received_at`)
}
