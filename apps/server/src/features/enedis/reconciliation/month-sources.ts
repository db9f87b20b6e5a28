import { addMonths } from '@voisol/energy/calendar'
import { type SQL, sql } from 'drizzle-orm'
import { pointNameSql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'

/** A period of whole months of an operation. */
export type OperationPeriod = { operationId: string; from: string; to: string }

const toPeriodTable = (periods: OperationPeriod[]): SQL => sql`unnest(
  ${sql.param(periods.map(({ operationId }) => operationId))}::uuid[], ${sql.param(periods.map(({ from }) => from))}::date[],
  ${sql.param(periods.map(({ to }) => to))}::date[]) as q(operation_id, lo, hi)`

export type ComparedPoint = {
  pointId: string
  prm: string
  label: string
  direction: 'consumption' | 'production'
  storage: boolean
}
type ParticipationDates = { startsOn: string | null; endsOn: string | null }
type OurMembershipRow = ComparedPoint & ParticipationDates & { operationId: string }
type DistributorMembershipRow = ParticipationDates & { operationId: string; prm: string; direction: string }

/** The members of an operation by day, according to us and to the distributor. */
export type Memberships = {
  points: Map<string, ComparedPoint>
  inOurs: (pointId: string, day: string) => boolean
  /** Null when the distributor's dates were never read. */
  inTheirs: (pointId: string, day: string) => boolean | null
  /** The distributor's dates of a point that it knows. */
  theirDates: (pointId: string) => ParticipationDates | undefined
}

const isWithinDates = ({ startsOn, endsOn }: ParticipationDates, day: string) =>
  (startsOn === null || startsOn <= day) && (endsOn === null || endsOn > day)

export async function loadMemberships(
  db: Db,
  companyId: number,
  periods: OperationPeriod[],
): Promise<Map<string, Memberships>> {
  const { rows: ours } = await db.execute<OurMembershipRow>(sql`
    select m.operation_id as "operationId", p.id as "pointId", p.prm, p.direction, p.storage,
           ${pointNameSql(sql`p.label`, sql`n.name`)} as label, m.starts_on::text as "startsOn", m.ends_on::text as "endsOn"
      from ${toPeriodTable(periods)}
      join participations m on m.company_id = ${companyId} and m.operation_id = q.operation_id
      join points p on p.company_id = m.company_id and p.id = m.point_id
      join participants n on n.company_id = m.company_id and n.id = m.participant_id
     order by m.starts_on`)
  const { rows: theirs } = await db.execute<DistributorMembershipRow>(sql`
    select d.operation_id as "operationId", d.prm, d.direction, d.starts_on::text as "startsOn", d.ends_on::text as "endsOn"
      from ${toPeriodTable(periods)}
      join distributor_perimeters d on d.company_id = ${companyId} and d.operation_id = q.operation_id`)
  const [oursOf, theirsOf] = [groupByOperation(ours), groupByOperation(theirs)]
  return new Map(
    periods.map(({ operationId }) => [
      operationId,
      buildMemberships(oursOf.get(operationId) ?? [], theirsOf.get(operationId) ?? []),
    ]),
  )
}

const groupByOperation = <T extends { operationId: string }>(rows: T[]) => Map.groupBy(rows, (row) => row.operationId)

function buildMemberships(ours: OurMembershipRow[], theirs: DistributorMembershipRow[]): Memberships {
  // Each point is named after its latest holder.
  const points = new Map(
    ours.map(({ pointId, prm, label, direction, storage }) => [pointId, { pointId, prm, label, direction, storage }]),
  )
  const dates = Map.groupBy(ours, ({ pointId }) => pointId)
  const theirsByPrm = new Map(theirs.map((row) => [`${row.prm} ${row.direction}`, row]))
  const theirDates = (pointId: string) => {
    const point = points.get(pointId)
    return point && theirsByPrm.get(`${point.prm} ${point.direction}`)
  }
  return {
    points,
    theirDates,
    inOurs: (pointId, day) => dates.get(pointId)?.some((row) => isWithinDates(row, day)) ?? false,
    inTheirs: (pointId, day) => {
      if (!theirs.length) return null
      const own = theirDates(pointId)
      return own ? isWithinDates(own, day) : false
    },
  }
}

/** A current run that covers some days of a month. */
export type CoveringRun = {
  operationId: string
  month: string
  runId: string
  first: string
  last: string
  /** True when the run covers all its days of the month: its stored monthly totals can be used. */
  whole: boolean
  estimated: boolean
}
type MonthSum = { operationId: string; month: string; pointId: string; local: string }

export async function loadCoveringRuns(db: Db, companyId: number, periods: OperationPeriod[]): Promise<CoveringRun[]> {
  const { rows } = await db.execute<CoveringRun>(sql`
    select c.operation_id as "operationId", c.month::text, c.run_id as "runId", c.first::text, c.last::text, r.estimated,
           c.days = least(r.ends_on, (c.month + interval '1 month')::date) - greatest(r.starts_on, c.month) as whole
      from (select a.operation_id, date_trunc('month', a.day)::date as month, a.run_id, min(a.day) as first,
                   max(a.day) as last, count(*)::int as days
              from ${toPeriodTable(periods)}
              join allocation_coverage a on a.company_id = ${companyId} and a.operation_id = q.operation_id
               and a.day >= q.lo and a.day < q.hi
             group by 1, 2, 3) c
      join allocation_runs r on r.company_id = ${companyId} and r.id = c.run_id
     order by c.month, c.first`)
  return rows
}

/**
 * Watt-minutes per point and month from the current runs: the local consumption of a consumer, the shared production of
 * a producer.
 */
export async function loadAllocatedMonths(
  db: Db,
  companyId: number,
  covered: CoveringRun[],
): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  const add = (rows: MonthSum[]) => {
    for (const { operationId, month, pointId, local } of rows) {
      const key = getPointMonthKey(operationId, month, pointId)
      sums.set(key, (sums.get(key) ?? 0) + Number(local))
    }
  }
  const whole = covered.filter((run) => run.whole)
  const rest = covered.filter((run) => !run.whole)
  if (whole.length)
    add(
      (
        await db.execute<MonthSum>(sql`
          select q.operation_id as "operationId", q.month::text, t.point_id as "pointId", sum(t.local) as local
            from ${toRunTable(whole)} join allocation_totals t
              on t.company_id = ${companyId} and t.run_id = q.run_id and t.month = q.month
           group by 1, 2, 3`)
      ).rows,
    )
  if (rest.length)
    add(
      (
        await db.execute<MonthSum>(sql`
          select q.operation_id as "operationId", q.month::text, d.point_id as "pointId", sum(d.local) as local
            from ${toRunTable(rest)} join allocation_coverage c on c.company_id = ${companyId}
             and c.operation_id = q.operation_id and c.day >= q.first and c.day <= q.last and c.run_id = q.run_id
            join allocation_days d on d.company_id = ${companyId} and d.run_id = q.run_id and d.day = c.day
           group by 1, 2, 3`)
      ).rows,
    )
  return sums
}

export const getPointMonthKey = (operationId: string, month: string, pointId: string) =>
  `${operationId} ${month} ${pointId}`

const toRunTable = (runs: CoveringRun[]) => sql`unnest(
  ${sql.param(runs.map(({ operationId }) => operationId))}::uuid[], ${sql.param(runs.map(({ month }) => month))}::date[],
  ${sql.param(runs.map(({ runId }) => runId))}::uuid[], ${sql.param(runs.map(({ first }) => first))}::date[],
  ${sql.param(runs.map(({ last }) => last))}::date[]) as q(operation_id, month, run_id, first, last)`

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

/** A quantity of a consumer from the distributor, by time class of the grid tariff or other name. */
export type BillableRow = { pointId: string; class: string; from: string; to: string; wh: number }
type OperationMonth = { operationId: string; from: string; to: string }
type Row = Omit<BillableRow, 'wh'> & { source: string; calendar: string; wh: string }

/**
 * For each point, the current quantities of the month from a single source. A period that crosses the end of the month
 * cannot be split exactly: it is reported and left out.
 */
export async function loadBillableRows(
  db: Db,
  companyId: number,
  month: OperationMonth,
  due: ReadonlyMap<string, string[]>,
) {
  const periods = Map.groupBy(await loadDistributorPeriods(db, companyId, [month]), ({ pointId }) => pointId)
  const { rows } = await db.execute<Row>(sql`
    select point_id as "pointId", name as class, from_day::text as from, to_day::text as to, source, calendar, wh
      from distributor_quantities
     where company_id = ${companyId} and type = 'autocons' and superseded_at is null
       and point_id = any(${sql.param([...due.keys()])}::uuid[]) and from_day < ${month.to} and to_day > ${month.from}
     order by point_id, from_day, name`)
  const chosen = [...due].flatMap(
    ([pointId, days]) => chooseDefinitiveQuantity(periods.get(pointId) ?? [], days)?.periods ?? [],
  )
  const getPeriodKey = (of: Omit<Row, 'class' | 'wh'>) =>
    JSON.stringify([of.pointId, of.from, of.to, of.source, of.calendar])
  const kept = new Set(chosen.map(getPeriodKey))
  const beyond = rows.filter(({ from, to }) => from < month.from || to > month.to)
  return {
    rows: rows
      .filter((row) => kept.has(getPeriodKey(row)))
      .map(
        ({ pointId, class: name, from, to, wh }): BillableRow => ({ pointId, class: name, from, to, wh: Number(wh) }),
      ),
    beyond: [
      ...new Map(beyond.map(({ pointId, from, to }) => [`${pointId} ${from} ${to}`, { pointId, from, to }])).values(),
    ],
  }
}
