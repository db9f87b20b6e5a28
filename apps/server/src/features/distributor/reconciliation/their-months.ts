import { addMonths } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type OperationPeriod, toPeriodTable } from './asked.ts'

export type DistributorMonthSum = { operationId: string; month: string; pointId: string; energy: number }
/** Energy that the distributor attributed to a point over a period, all classes together. */
export type DistributorPeriod = {
  operationId: string
  month: string
  pointId: string
  from: string
  to: string
  source: string
  calendar: string
  wh: number
  classes: number
  /** Every class is rounded down to whole kilowatt-hours, and may have lost up to one. */
  floored: boolean
}

/** The first days of the requested months. */
function listMonthStarts(requested: OperationPeriod[]): string[] {
  const last = requested.reduce((max, { to }) => (to > max ? to : max), '')
  const months = []
  let month = requested.reduce((min, { from }) => (from < min ? from : min), last)
  for (; month < last; month = addMonths(month, 1)) months.push(month)
  return months
}

export async function loadDistributorMonthSums(
  db: Db,
  companyId: number,
  requested: OperationPeriod[],
): Promise<DistributorMonthSum[]> {
  const months = listMonthStarts(requested)
  // Looking up the month in a short list is much cheaper than computing it for tens of thousands of days.
  const { rows } = await db.execute<Omit<DistributorMonthSum, 'month'> & { nth: number }>(sql`
    select d.operation_id as "operationId", width_bucket(d.day, ${sql.param(months)}::date[]) as nth,
           d.point_id as "pointId", sum(d.energy::float8) as energy
      from ${toPeriodTable(requested)} join distributor_days d on d.company_id = ${companyId}
       and d.operation_id = q.operation_id and d.type = 'autocons' and d.day >= q.lo and d.day < q.hi
     group by 1, 2, 3`)
  return rows.map(({ nth, ...row }) => ({ ...row, month: months[nth - 1] ?? '' }))
}

/** Periods within a month; a file without operation counts for the operation of the point. */
export async function loadDistributorPeriods(
  db: Db,
  companyId: number,
  requested: OperationPeriod[],
): Promise<DistributorPeriod[]> {
  const { rows } = await db.execute<Omit<DistributorPeriod, 'wh'> & { wh: string }>(sql`
    select q.operation_id as "operationId", date_trunc('month', d.from_day)::date::text as month,
           d.point_id as "pointId", d.from_day::text as from, d.to_day::text as to, d.source, d.calendar,
           sum(d.wh) as wh, count(*)::int as classes, bool_and(d.wh % 1000 = 0) as floored
      from ${toPeriodTable(requested)} join distributor_quantities d on d.company_id = ${companyId}
       and d.type = 'autocons' and d.superseded_at is null and d.from_day >= q.lo and d.to_day <= q.hi
       and d.to_day <= (date_trunc('month', d.from_day) + interval '1 month')::date
       and (d.operation_id = q.operation_id or (d.operation_id is null and exists (
         select 1 from participations p where p.company_id = ${companyId} and p.operation_id = q.operation_id
            and p.point_id = d.point_id and p.starts_on < d.to_day and (p.ends_on is null or p.ends_on > d.from_day))))
     group by 1, 2, 3, 4, 5, 6, 7`)
  return rows.map((row) => ({ ...row, wh: Number(row.wh) }))
}

export type DefinitiveQuantity = {
  wh: number
  classes: number
  floored: boolean
  periods: DistributorPeriod[]
  /** Every past day lies in one of the periods. */
  covers: boolean
}

const getSourceRank = ({ source, calendar }: DistributorPeriod) =>
  (source === 'api' ? 0 : 2) + (calendar === 'DISTRIB' ? 0 : 1)
const isDayInPeriod = ({ from, to }: DistributorPeriod, day: string) => from <= day && day < to

/** The first source that covers all days, or else the one that covers most. */
export function chooseDefinitiveQuantity(periods: DistributorPeriod[], days: string[]): DefinitiveQuantity | undefined {
  const ways = [...Map.groupBy(periods, getSourceRank).entries()]
    .sort(([a], [b]) => a - b)
    .map(([, way]) => {
      const kept = removeOverlaps(way)
      const covered = days.filter((day) => kept.some((period) => isDayInPeriod(period, day))).length
      return { kept, covered }
    })
  const [best] = ways.sort((a, b) => b.covered - a.covered)
  if (!best) return undefined
  const { kept, covered } = best
  return {
    wh: kept.reduce((sum, { wh }) => sum + wh, 0),
    classes: kept.reduce((sum, { classes }) => sum + classes, 0),
    floored: kept.every(({ floored }) => floored),
    periods: kept,
    covers: covered === days.length,
  }
}

/** A rectification may have other bounds: the longest period prevails for its days. */
function removeOverlaps(periods: DistributorPeriod[]): DistributorPeriod[] {
  const kept: DistributorPeriod[] = []
  const length = ({ from, to }: DistributorPeriod) => Date.parse(to) - Date.parse(from)
  for (const period of periods.toSorted((a, b) => length(b) - length(a) || (a.from < b.from ? -1 : 1)))
    if (!kept.some((other) => period.from < other.to && other.from < period.to)) kept.push(period)
  return kept
}
