import type { KnownPeriod, KnownPoint } from '@voisol/contract/curves'
import { addDays } from '@voisol/energy/calendar'
import { getMonthLength } from '@voisol/energy/civil'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import { getConnectionLimit } from './connection.ts'
import type { SeriesView } from './review.ts'

type KnownPeriodView = z.infer<typeof KnownPeriod>
type KnownPointView = z.infer<typeof KnownPoint>
type SeriesOfPoint = SeriesView & { pointId: string }

/**
 * Known data of these points besides the file: values stored then, a year and a month before, and their meter index.
 */
export async function loadKnownPointData(
  db: Db,
  companyId: number,
  series: SeriesOfPoint[],
): Promise<KnownPointView[]> {
  const ids = series.map(({ pointId }) => pointId)
  const rows = ids.length
    ? await db
        .select()
        .from(points)
        .where(and(eq(points.companyId, companyId), inArray(points.id, ids)))
    : []
  const known: KnownPointView[] = []
  for (const one of series) {
    const point = rows.find(({ id }) => id === one.pointId)
    if (!point) continue
    known.push({
      prm: one.prm,
      label: one.pointLabel,
      direction: point.direction === 'production' ? 'production' : 'consumption',
      ...(point.storage && { storage: true }),
      limitWatts: getConnectionLimit(point),
      periods: await loadKnownPeriods(db, companyId, one),
    })
  }
  return known
}

function getDayOneYearBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = Math.min(date, getMonthLength(year - 1, month))
  return `${year - 1}-${day.slice(5, 7)}-${String(last).padStart(2, '0')}`
}

async function loadKnownPeriods(
  db: Db,
  companyId: number,
  { pointId, from, to }: SeriesOfPoint,
): Promise<KnownPeriodView[]> {
  const lastYearRange = { from: getDayOneYearBefore(from), to: addDays(getDayOneYearBefore(addDays(to, -1)), 1) }
  const { rows } = await db.execute<{
    kind: KnownPeriodView['kind']
    from: string
    to: string
    days: number
    wh: number
  }>(sql`
    select 'stored' as kind, ${from}::text as "from", ${to}::text as "to", count(*)::int as days, sum(energy)::float8 / 60 as wh
      from curve_days where company_id = ${companyId} and point_id = ${pointId} and superseded_at is null
       and day >= ${from}::date and day < ${to}::date
    union all
    select 'year-before', ${lastYearRange.from}, ${lastYearRange.to}, count(*)::int, sum(energy)::float8 / 60
      from curve_days where company_id = ${companyId} and point_id = ${pointId} and superseded_at is null
       and day >= ${lastYearRange.from}::date and day < ${lastYearRange.to}::date
    union all
    (select 'month', month::text, (month + interval '1 month')::date::text, days::int, energy::float8 / 60
      from curve_months where company_id = ${companyId} and point_id = ${pointId}
       and month < date_trunc('month', ${from}::date) order by month desc limit 1)
    union all
    select 'index', ${from}, ${to}, count(*)::int, sum(wh)::float8
      from distributor_energies where company_id = ${companyId} and point_id = ${pointId}
       and day >= ${from}::date and day < ${to}::date
    union all
    (select 'index', ${from}, ${to}, ${to}::date - ${from}::date, sum(b.wh - a.wh)::float8
      from distributor_indexes a join distributor_indexes b on b.company_id = a.company_id and b.point_id = a.point_id
       and b.calendar = a.calendar and b.name = a.name and b.source = a.source
     where a.company_id = ${companyId} and a.point_id = ${pointId} and a.day = ${from}::date and b.day = ${to}::date
     group by a.source, a.calendar order by count(*) desc limit 1)`)
  return rows
    .filter(({ days }) => days > 0)
    .map(({ kind, from: first, to: end, days, wh }) => ({ kind, from: first, to: end, days, energyWh: Math.round(wh) }))
}
