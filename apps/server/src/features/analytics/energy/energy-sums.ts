import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { toSqlArray } from './member-scope.ts'
import { type MemberPeriod, type MemberRunPeriod, type RunInForce, splitByRun, splitWholeMonths } from './periods.ts'

/** Energies are in watt-minutes. */
export type ReadingSum = {
  energy: number
  present: number
  expected: number
  days: number
  holes: boolean
  quality: number
  /** Estimated readings and point-days with readings; stored months of points do not have them. */
  estimated: number
  seen: number
}
/** `given` counts point-days with local energy. */
export type AllocationSum = { total: number; local: number; excluded: number; steps: number; given: number }
/** `whole` may come from stored months, which know less; `counted` is computed from days. */
export type SumBucket = 'whole' | 'counted' | 'month' | 'day'
type GroupedRow<T> = T & { group: number; bucket: string }
/** By group, then by bucket: '' for the whole, otherwise the bucket's first day. */
export type GroupedSums<T> = Map<number, Map<string, T>>

const buildMemberPeriodTable = (pieces: MemberPeriod[], runs?: string[]): SQL => sql`unnest(
  ${toSqlArray(pieces.map(({ group }) => group))}::int[], ${toSqlArray(pieces.map(({ pointId }) => pointId))}::uuid[],
  ${toSqlArray(pieces.map(({ lo }) => lo))}::date[], ${toSqlArray(pieces.map(({ hi }) => hi))}::date[]
  ${runs ? sql`, ${toSqlArray(runs)}::uuid[]` : sql``}) as m(g, point_id, lo, hi ${runs ? sql`, run_id` : sql``})`

type BucketGrouping = { name: SQL; by: SQL }
function buildBucketGrouping(bucket: SumBucket, day: SQL): BucketGrouping {
  if (bucket === 'whole' || bucket === 'counted') return { name: sql`''`, by: sql`m.g` }
  const first = bucket === 'day' ? day : sql`date_trunc('month', ${day})::date`
  return { name: sql`(${first})::text`, by: sql`m.g, ${first}` }
}

/** Both in one query; null when neither is needed. */
function unionAll(...parts: (SQL | null)[]): SQL | null {
  const asked = parts.filter((part) => part !== null)
  return asked.length ? sql.join(asked, sql` union all `) : null
}

function toGroupedSums<T>(rows: GroupedRow<T>[], add: (sum: T, more: T) => void): GroupedSums<T> {
  const sums: GroupedSums<T> = new Map()
  for (const row of rows) {
    const group = sums.get(row.group) ?? new Map<string, T>()
    sums.set(row.group, group)
    const known = group.get(row.bucket)
    if (known) add(known, row)
    else group.set(row.bucket, row)
  }
  return sums
}

/** Estimated readings of a day, with or without individual marks. */
const ESTIMATED_COUNT = sql`case when quality < 3 then 0 when marks is null then case when quality = 3 then present else 0 end
  else (select count(*) from generate_series(0, length(marks) - 1) at where get_byte(marks, at) = 3) end`

// `offset 0` forces one lookup per point: the planner cannot know how many days each period has, and guesses badly.
function buildReadingDaysQuery(companyId: number, pieces: MemberPeriod[], bucket: SumBucket): SQL {
  const { name, by } = buildBucketGrouping(bucket, sql`d.day`)
  return sql`
    select m.g as "group", ${name} as bucket, sum(d.energy)::float8 as energy, sum(d.present)::int as present,
           sum(d.expected)::int as expected, count(*)::int as days, bool_or(d.present < d.expected) as holes,
           max(d.quality)::int as quality, sum(d.estimated)::int as estimated,
           count(*) filter (where d.present > 0)::int as seen
      from ${buildMemberPeriodTable(pieces)} cross join lateral (
        select day, energy, present, expected, quality, ${ESTIMATED_COUNT} as estimated from curve_days
         where company_id = ${companyId} and point_id = m.point_id and day >= m.lo and day < m.hi
           and superseded_at is null offset 0) d
     group by ${by}`
}

const buildReadingMonthsQuery = (companyId: number, pieces: MemberPeriod[]) => sql`
  select m.g as "group", '' as bucket, sum(d.energy)::float8 as energy, sum(d.present)::int as present,
         sum(d.expected)::int as expected, sum(d.days)::int as days, bool_or(d.present < d.expected) as holes,
         1 as quality, 0 as estimated, 0 as seen
    from ${buildMemberPeriodTable(pieces)} cross join lateral (
      select energy, present, expected, days from curve_months
       where company_id = ${companyId} and point_id = m.point_id and month >= m.lo and month < m.hi offset 0) d
   group by m.g`

/** Readings of the points. Whole sums use stored months when possible, which have no quality. */
export async function loadReadingSums(
  db: Db,
  companyId: number,
  pieces: MemberPeriod[],
  bucket: SumBucket,
): Promise<GroupedSums<ReadingSum>> {
  const monthsAndDays =
    bucket === 'whole' ? pieces.map((piece) => splitWholeMonths(piece, null)) : [{ months: [], days: pieces }]
  const months = monthsAndDays.flatMap((part) => part.months)
  const days = monthsAndDays.flatMap((part) => part.days)
  const statement = unionAll(
    months.length ? buildReadingMonthsQuery(companyId, months) : null,
    days.length ? buildReadingDaysQuery(companyId, days, bucket) : null,
  )
  const rows = statement ? (await db.execute<GroupedRow<ReadingSum>>(statement)).rows : []
  return toGroupedSums(rows, addReadingSum)
}

export function addReadingSum(sum: ReadingSum, more: ReadingSum): void {
  sum.energy += more.energy
  sum.present += more.present
  sum.expected += more.expected
  sum.days += more.days
  sum.holes ||= more.holes
  sum.quality = Math.max(sum.quality, more.quality)
  sum.estimated += more.estimated
  sum.seen += more.seen
}

export function addAllocationSum(sum: AllocationSum, more: AllocationSum): void {
  sum.total += more.total
  sum.local += more.local
  sum.excluded += more.excluded
  sum.steps += more.steps
  sum.given += more.given
}

const listRunIds = (pieces: MemberRunPeriod[]) => pieces.map(({ runId }) => runId)

function buildAllocationDaysQuery(companyId: number, pieces: MemberRunPeriod[], bucket: SumBucket): SQL {
  const { name, by } = buildBucketGrouping(bucket, sql`a.day`)
  return sql`
    select m.g as "group", ${name} as bucket, sum(a.total)::float8 as total, sum(a.local)::float8 as local,
           sum(a.excluded)::int as excluded, sum(a.steps)::int as steps, count(*) filter (where a.local > 0)::int as given
      from ${buildMemberPeriodTable(pieces, listRunIds(pieces))} cross join lateral (
        select day, total, local, excluded, octet_length(allocated) / 4 as steps from allocation_days
         where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id
           and day >= m.lo and day < m.hi offset 0) a
     group by ${by}`
}

const buildAllocationMonthsQuery = (companyId: number, pieces: MemberRunPeriod[]) => sql`
  select m.g as "group", '' as bucket, sum(a.total)::float8 as total, sum(a.local)::float8 as local,
         0 as excluded, 0 as steps, 0 as given
    from ${buildMemberPeriodTable(pieces, listRunIds(pieces))} cross join lateral (
      select total, local from allocation_totals
       where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id and month >= m.lo and month < m.hi offset 0) a
   group by m.g`

/** Counts the steps of runs from days, since stored months do not have them. */
export async function countAllocatedSteps(db: Db, companyId: number, under: MemberRunPeriod[]) {
  if (!under.length) return { allocated: 0, excluded: 0 }
  const { rows } = await db.execute<{ steps: number; excluded: number }>(sql`
    select coalesce(sum(a.steps), 0)::int as steps, coalesce(sum(a.excluded), 0)::int as excluded
      from ${buildMemberPeriodTable(under, listRunIds(under))} cross join lateral (
        select excluded, octet_length(allocated) / 4 as steps from allocation_days
         where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id
           and day >= m.lo and day < m.hi offset 0) a`)
  const { steps = 0, excluded = 0 } = rows[0] ?? {}
  return { allocated: steps - excluded, excluded }
}

type PeriodRuns = { pieces: MemberPeriod[]; held: RunInForce[] }

/** Energy allocated by the runs in force. */
export const loadAllocationSums = (
  db: Db,
  companyId: number,
  { pieces, held }: PeriodRuns,
  bucket: SumBucket,
): Promise<GroupedSums<AllocationSum>> => loadAllocationSumsOfRuns(db, companyId, splitByRun(pieces, held), bucket)

/** Whole sums use stored months when possible, which do not count steps. */
export async function loadAllocationSumsOfRuns(
  db: Db,
  companyId: number,
  under: MemberRunPeriod[],
  bucket: SumBucket,
): Promise<GroupedSums<AllocationSum>> {
  const monthsAndDays =
    bucket === 'whole'
      ? under.map((piece) => splitWholeMonths(piece, { from: piece.runFrom, to: piece.runTo }))
      : [{ months: [], days: under }]
  const months = monthsAndDays.flatMap((part) => part.months)
  const days = monthsAndDays.flatMap((part) => part.days)
  const { whole, others } = splitWholeRuns(months)
  const statement = unionAll(
    others.length ? buildAllocationMonthsQuery(companyId, others) : null,
    days.length ? buildAllocationDaysQuery(companyId, days, bucket) : null,
  )
  const rows = statement ? (await db.execute<GroupedRow<AllocationSum>>(statement)).rows : []
  return toGroupedSums([...(await loadWholeRunSums(db, companyId, whole)), ...rows], addAllocationSum)
}

/** The months of an operation's runs, and the points that need all of them, each for one group. */
type WholeRunGroup = { runs: MemberRunPeriod[]; groups: Map<string, number> }

/** For fewer points, individual queries are used. */
const MIN_GROUPED_POINTS = 50

const getRunMonthsKey = ({ runId, lo, hi }: MemberRunPeriod) => `${runId} ${lo} ${hi}`

/**
 * Members present throughout need the same months of the same runs: these are read run by run and not point by point.
 * Members that need fewer months, or are in two groups, are returned in `others`.
 */
export function splitWholeRuns(pieces: MemberRunPeriod[]): { whole: WholeRunGroup[]; others: MemberRunPeriod[] } {
  const whole: WholeRunGroup[] = []
  const others: MemberRunPeriod[] = []
  for (const own of Map.groupBy(pieces, ({ operationId }) => operationId).values()) {
    const runs = [...new Map(own.map((piece) => [getRunMonthsKey(piece), piece])).values()]
    const groups = new Map<string, number>()
    const rest: MemberRunPeriod[] = []
    for (const [pointId, wanted] of Map.groupBy(own, (piece) => piece.pointId)) {
      const group = wanted[0]?.group ?? 0
      if (wanted.length === runs.length && wanted.every((piece) => piece.group === group)) groups.set(pointId, group)
      else rest.push(...wanted)
    }
    if (groups.size < MIN_GROUPED_POINTS) others.push(...own)
    else {
      whole.push({ runs, groups })
      others.push(...rest)
    }
  }
  return { whole, others }
}

type WholeRunRow = { nth: number; pointId: string; total: number; local: number }

export async function loadWholeRunSums(db: Db, companyId: number, whole: WholeRunGroup[]) {
  if (!whole.length) return []
  const runs = whole.flatMap((own, nth) => own.runs.map((run) => ({ ...run, nth })))
  const { rows } = await db.execute<WholeRunRow>(sql`
    select m.nth, a.point_id as "pointId", sum(a.total)::float8 as total, sum(a.local)::float8 as local
      from unnest(${toSqlArray(runs.map(({ nth }) => nth))}::int[], ${toSqlArray(runs.map(({ runId }) => runId))}::uuid[],
                  ${toSqlArray(runs.map(({ lo }) => lo))}::date[], ${toSqlArray(runs.map(({ hi }) => hi))}::date[]) m(nth, run_id, lo, hi)
     cross join lateral (
       select point_id, sum(total) as total, sum(local) as local from allocation_totals
        where company_id = ${companyId} and run_id = m.run_id and month >= m.lo and month < m.hi
        group by point_id offset 0) a
     group by 1, 2`)
  return rows.flatMap(({ nth, pointId, total, local }) => {
    const group = whole[nth]?.groups.get(pointId)
    return group === undefined ? [] : [{ group, bucket: '', total, local, excluded: 0, steps: 0, given: 0 }]
  })
}
