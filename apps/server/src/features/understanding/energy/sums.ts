import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { column } from './columns.ts'
import { byMonths, type Held, type HeldPiece, type Piece, underRuns } from './pieces.ts'
import { inWholeRuns, readWholeRuns } from './whole-runs.ts'

/** Energies are in watt-minutes. */
export type Measured = {
  energy: number
  present: number
  expected: number
  days: number
  holes: boolean
  quality: number
  /** Readings that are estimates, and days of points of which something was read; kept months of points do not say. */
  estimated: number
  seen: number
}
/** `given` counts the days of points that something local went to or came from. */
export type Shared = { total: number; local: number; excluded: number; steps: number; given: number }
/** The whole may come from kept months, which know less; what is counted is asked of the days. */
export type Bucket = 'whole' | 'counted' | 'month' | 'day'
type Row<T> = T & { group: number; bucket: string }
/** By group, then by bucket: '' for the whole, else the first day of it. */
export type Sums<T> = Map<number, Map<string, T>>

const pieceTable = (pieces: Piece[], runs?: string[]): SQL => sql`unnest(
  ${column(pieces.map(({ group }) => group))}::int[], ${column(pieces.map(({ pointId }) => pointId))}::uuid[],
  ${column(pieces.map(({ lo }) => lo))}::date[], ${column(pieces.map(({ hi }) => hi))}::date[]
  ${runs ? sql`, ${column(runs)}::uuid[]` : sql``}) as m(g, point_id, lo, hi ${runs ? sql`, run_id` : sql``})`

type Grouping = { name: SQL; by: SQL }
function grouping(bucket: Bucket, day: SQL): Grouping {
  if (bucket === 'whole' || bucket === 'counted') return { name: sql`''`, by: sql`m.g` }
  const first = bucket === 'day' ? day : sql`date_trunc('month', ${day})::date`
  return { name: sql`(${first})::text`, by: sql`m.g, ${first}` }
}

/** Both in one go; nothing where neither is asked for. */
function union(...parts: (SQL | null)[]): SQL | null {
  const asked = parts.filter((part) => part !== null)
  return asked.length ? sql.join(asked, sql` union all `) : null
}

function gather<T>(rows: Row<T>[], add: (sum: T, more: T) => void): Sums<T> {
  const sums: Sums<T> = new Map()
  for (const row of rows) {
    const group = sums.get(row.group) ?? new Map<string, T>()
    sums.set(row.group, group)
    const known = group.get(row.bucket)
    if (known) add(known, row)
    else group.set(row.bucket, row)
  }
  return sums
}

/** Readings of a day that are estimates, where marks tell them apart and where all are alike. */
const ESTIMATED = sql`case when quality < 3 then 0 when marks is null then case when quality = 3 then present else 0 end
  else (select count(*) from generate_series(0, length(marks) - 1) at where get_byte(marks, at) = 3) end`

// `offset 0` makes the database go point by point: it cannot know how many days a list of pieces brings, and guesses badly.
function measuredDays(companyId: number, pieces: Piece[], bucket: Bucket): SQL {
  const { name, by } = grouping(bucket, sql`d.day`)
  return sql`
    select m.g as "group", ${name} as bucket, sum(d.energy)::float8 as energy, sum(d.present)::int as present,
           sum(d.expected)::int as expected, count(*)::int as days, bool_or(d.present < d.expected) as holes,
           max(d.quality)::int as quality, sum(d.estimated)::int as estimated,
           count(*) filter (where d.present > 0)::int as seen
      from ${pieceTable(pieces)} cross join lateral (
        select day, energy, present, expected, quality, ${ESTIMATED} as estimated from curve_days
         where company_id = ${companyId} and point_id = m.point_id and day >= m.lo and day < m.hi
           and superseded_at is null offset 0) d
     group by ${by}`
}

const measuredMonths = (companyId: number, pieces: Piece[]) => sql`
  select m.g as "group", '' as bucket, sum(d.energy)::float8 as energy, sum(d.present)::int as present,
         sum(d.expected)::int as expected, sum(d.days)::int as days, bool_or(d.present < d.expected) as holes,
         1 as quality, 0 as estimated, 0 as seen
    from ${pieceTable(pieces)} cross join lateral (
      select energy, present, expected, days from curve_months
       where company_id = ${companyId} and point_id = m.point_id and month >= m.lo and month < m.hi offset 0) d
   group by m.g`

/** What was read of the points. Whole sums come from the kept months where they can; they know nothing of quality. */
export async function measured(db: Db, companyId: number, pieces: Piece[], bucket: Bucket): Promise<Sums<Measured>> {
  const split = bucket === 'whole' ? pieces.map((piece) => byMonths(piece, null)) : [{ months: [], days: pieces }]
  const months = split.flatMap((part) => part.months)
  const days = split.flatMap((part) => part.days)
  const statement = union(
    months.length ? measuredMonths(companyId, months) : null,
    days.length ? measuredDays(companyId, days, bucket) : null,
  )
  const rows = statement ? (await db.execute<Row<Measured>>(statement)).rows : []
  return gather(rows, addMeasured)
}

export function addMeasured(sum: Measured, more: Measured): void {
  sum.energy += more.energy
  sum.present += more.present
  sum.expected += more.expected
  sum.days += more.days
  sum.holes ||= more.holes
  sum.quality = Math.max(sum.quality, more.quality)
  sum.estimated += more.estimated
  sum.seen += more.seen
}

export function addShared(sum: Shared, more: Shared): void {
  sum.total += more.total
  sum.local += more.local
  sum.excluded += more.excluded
  sum.steps += more.steps
  sum.given += more.given
}

const runsOf = (pieces: HeldPiece[]) => pieces.map(({ runId }) => runId)

function sharedDays(companyId: number, pieces: HeldPiece[], bucket: Bucket): SQL {
  const { name, by } = grouping(bucket, sql`a.day`)
  return sql`
    select m.g as "group", ${name} as bucket, sum(a.total)::float8 as total, sum(a.local)::float8 as local,
           sum(a.excluded)::int as excluded, sum(a.steps)::int as steps, count(*) filter (where a.local > 0)::int as given
      from ${pieceTable(pieces, runsOf(pieces))} cross join lateral (
        select day, total, local, excluded, octet_length(allocated) / 4 as steps from allocation_days
         where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id
           and day >= m.lo and day < m.hi offset 0) a
     group by ${by}`
}

const sharedMonths = (companyId: number, pieces: HeldPiece[]) => sql`
  select m.g as "group", '' as bucket, sum(a.total)::float8 as total, sum(a.local)::float8 as local,
         0 as excluded, 0 as steps, 0 as given
    from ${pieceTable(pieces, runsOf(pieces))} cross join lateral (
      select total, local from allocation_totals
       where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id and month >= m.lo and month < m.hi offset 0) a
   group by m.g`

/** Steps of the runs, which the days alone count: kept months do not. */
export async function countedSteps(db: Db, companyId: number, under: HeldPiece[]) {
  if (!under.length) return { allocated: 0, excluded: 0 }
  const { rows } = await db.execute<{ steps: number; excluded: number }>(sql`
    select coalesce(sum(a.steps), 0)::int as steps, coalesce(sum(a.excluded), 0)::int as excluded
      from ${pieceTable(under, runsOf(under))} cross join lateral (
        select excluded, octet_length(allocated) / 4 as steps from allocation_days
         where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id
           and day >= m.lo and day < m.hi offset 0) a`)
  const { steps = 0, excluded = 0 } = rows[0] ?? {}
  return { allocated: steps - excluded, excluded }
}

type Scene = { pieces: Piece[]; held: Held[] }

/** What the runs in force gave. */
export const shared = (db: Db, companyId: number, { pieces, held }: Scene, bucket: Bucket): Promise<Sums<Shared>> =>
  sharedUnder(db, companyId, underRuns(pieces, held), bucket)

/** Whole sums come from the kept months where they can; they do not count steps. */
export async function sharedUnder(
  db: Db,
  companyId: number,
  under: HeldPiece[],
  bucket: Bucket,
): Promise<Sums<Shared>> {
  const split =
    bucket === 'whole'
      ? under.map((piece) => byMonths(piece, { from: piece.runFrom, to: piece.runTo }))
      : [{ months: [], days: under }]
  const months = split.flatMap((part) => part.months)
  const days = split.flatMap((part) => part.days)
  const { whole, others } = inWholeRuns(months)
  const statement = union(
    others.length ? sharedMonths(companyId, others) : null,
    days.length ? sharedDays(companyId, days, bucket) : null,
  )
  const rows = statement ? (await db.execute<Row<Shared>>(statement)).rows : []
  return gather([...(await readWholeRuns(db, companyId, whole)), ...rows], addShared)
}
