import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'

/** Days requested later than this do not show when readings usually arrive. */
const MAX_DELAY_DAYS = 7
/** Number of recent days that count. */
const MAX_SAMPLES = 20

/**
 * Learns when the readings of a point usually arrive: minutes from the end of a day until it was first complete. Of
 * several days that arrived together, only the last one counts. A day not requested before may have been available for
 * long, and does not count.
 */
export async function updateArrivalTimes(
  tx: Db,
  companyId: number,
  pointIds: string[],
  receivedAt: Date,
): Promise<void> {
  if (!pointIds.length) return
  const at = sql`${receivedAt.toISOString()}::timestamptz`
  const weight = sql.raw(`least(l.samples + 1, ${MAX_SAMPLES})::numeric`)
  await tx.execute(sql`
    insert into point_links as l (company_id, point_id, samples, arrival_mean, arrival_spread)
    select ${companyId}, s.point_id, 1, s.minutes, 0 from (
      select distinct on (d.point_id) d.point_id,
             round(extract(epoch from ${at} - ((d.day + 1)::timestamp at time zone 'Europe/Paris')) / 60)::int as minutes
        from curve_days d
       where d.company_id = ${companyId} and d.point_id = any(${sql.param(pointIds)}::uuid[])
         and d.day >= (${at} at time zone 'Europe/Paris')::date - ${MAX_DELAY_DAYS}::int
         and d.received_at = ${at} and d.superseded_at is null and d.present = d.expected and d.source = 'enedis'
         and (d.day = (${at} at time zone 'Europe/Paris')::date - 1 or exists (
           select 1 from sync_windows w where w.company_id = ${companyId} and w.point_id = d.point_id
              and w.kind = 'load-curve' and w.from_day <= d.day and w.to_day > d.day and w.finished_at < ${at}))
         and not exists (select 1 from curve_days b where b.company_id = ${companyId} and b.point_id = d.point_id
                         and b.day = d.day and b.version < d.version and b.present = b.expected)
       order by d.point_id, d.day desc) s
     where s.minutes > 0
    on conflict (company_id, point_id) do update set samples = l.samples + 1,
      arrival_mean = round(coalesce(l.arrival_mean, excluded.arrival_mean)
        + (excluded.arrival_mean - coalesce(l.arrival_mean, excluded.arrival_mean)) / ${weight}),
      arrival_spread = round(coalesce(l.arrival_spread, 0)
        + (abs(excluded.arrival_mean - coalesce(l.arrival_mean, excluded.arrival_mean)) - coalesce(l.arrival_spread, 0)) / ${weight})`)
}

/** Yesterday's readings are never available before eight o'clock. */
const MIN_ARRIVAL_MINUTES = 8 * 60
export const getArrivalMinutes = (link: { arrivalMean: number | null; arrivalSpread: number | null } | null) =>
  Math.max(MIN_ARRIVAL_MINUTES, (link?.arrivalMean ?? 0) + 2 * (link?.arrivalSpread ?? 0))
