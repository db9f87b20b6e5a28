import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { byMonths, type Held, type HeldPiece, type Piece, underRuns } from './pieces.ts'

/** Energies are in watt-minutes. */
export type Measured = {
  energy: number
  present: number
  expected: number
  days: number
  holes: boolean
  quality: number
}
export type Shared = { total: number; local: number; excluded: number; steps: number }
export type Bucket = 'whole' | 'month' | 'day'
type Row<T> = T & { group: number; bucket: string }
/** By group, then by bucket: '' for the whole, else the first day of it. */
export type Sums<T> = Map<number, Map<string, T>>

const column = (values: unknown[]) => sql.param(values)
const pieceTable = (pieces: Piece[], runs?: string[]): SQL => sql`unnest(
  ${column(pieces.map(({ group }) => group))}::int[], ${column(pieces.map(({ pointId }) => pointId))}::uuid[],
  ${column(pieces.map(({ lo }) => lo))}::date[], ${column(pieces.map(({ hi }) => hi))}::date[]
  ${runs ? sql`, ${column(runs)}::uuid[]` : sql``}) as m(g, point_id, lo, hi ${runs ? sql`, run_id` : sql``})`

type Grouping = { name: SQL; by: SQL }
function grouping(bucket: Bucket, day: SQL): Grouping {
  if (bucket === 'whole') return { name: sql`''`, by: sql`m.g` }
  const first = bucket === 'day' ? day : sql`date_trunc('month', ${day})::date`
  return { name: sql`(${first})::text`, by: sql`m.g, ${first}` }
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

// `offset 0` makes the database go point by point: it cannot know how many days a list of pieces brings, and guesses badly.
function measuredDays(companyId: number, pieces: Piece[], bucket: Bucket): SQL {
  const { name, by } = grouping(bucket, sql`d.day`)
  return sql`
    select m.g as "group", ${name} as bucket, sum(d.energy)::float8 as energy, sum(d.present)::int as present,
           sum(d.expected)::int as expected, count(*)::int as days, bool_or(d.present < d.expected) as holes,
           max(d.quality)::int as quality
      from ${pieceTable(pieces)} cross join lateral (
        select day, energy, present, expected, quality from curve_days
         where company_id = ${companyId} and point_id = m.point_id and day >= m.lo and day < m.hi
           and superseded_at is null offset 0) d
     group by ${by}`
}

const measuredMonths = (companyId: number, pieces: Piece[]) => sql`
  select m.g as "group", '' as bucket, sum(d.energy)::float8 as energy, sum(d.present)::int as present,
         sum(d.expected)::int as expected, sum(d.days)::int as days, bool_or(d.present < d.expected) as holes,
         1 as quality
    from ${pieceTable(pieces)} join curve_months d on d.company_id = ${companyId} and d.point_id = m.point_id
     and d.month = m.lo
   group by 1, 2`

/** What was read of the points. Whole sums come from the kept months where they can; they know nothing of quality. */
export async function measured(db: Db, companyId: number, pieces: Piece[], bucket: Bucket): Promise<Sums<Measured>> {
  const split = bucket === 'whole' ? pieces.map((piece) => byMonths(piece, null)) : [{ months: [], days: pieces }]
  const months = split.flatMap((part) => part.months)
  const days = split.flatMap((part) => part.days)
  const rows = [
    ...(months.length ? (await db.execute<Row<Measured>>(measuredMonths(companyId, months))).rows : []),
    ...(days.length ? (await db.execute<Row<Measured>>(measuredDays(companyId, days, bucket))).rows : []),
  ]
  return gather(rows, (sum, more) => {
    sum.energy += more.energy
    sum.present += more.present
    sum.expected += more.expected
    sum.days += more.days
    sum.holes ||= more.holes
    sum.quality = Math.max(sum.quality, more.quality)
  })
}

const runsOf = (pieces: HeldPiece[]) => pieces.map(({ runId }) => runId)

function sharedDays(companyId: number, pieces: HeldPiece[], bucket: Bucket): SQL {
  const { name, by } = grouping(bucket, sql`a.day`)
  return sql`
    select m.g as "group", ${name} as bucket, sum(a.total)::float8 as total, sum(a.local)::float8 as local,
           sum(a.excluded)::int as excluded, sum(a.steps)::int as steps
      from ${pieceTable(pieces, runsOf(pieces))} cross join lateral (
        select day, total, local, excluded, octet_length(allocated) / 4 as steps from allocation_days
         where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id
           and day >= m.lo and day < m.hi offset 0) a
     group by ${by}`
}

const sharedMonths = (companyId: number, pieces: HeldPiece[]) => sql`
  select m.g as "group", '' as bucket, sum(a.total)::float8 as total, sum(a.local)::float8 as local,
         0 as excluded, 0 as steps
    from ${pieceTable(pieces, runsOf(pieces))} join allocation_totals a on a.company_id = ${companyId}
     and a.run_id = m.run_id and a.point_id = m.point_id and a.month = m.lo
   group by 1, 2`

/** The same of the whole from its days alone: kept months do not count steps. */
export async function countedSteps(db: Db, companyId: number, pieces: Piece[], held: Held[]) {
  const under = underRuns(
    pieces.map((piece) => ({ ...piece, group: 0 })),
    held,
  )
  const { rows } = under.length ? await db.execute<Row<Shared>>(sharedDays(companyId, under, 'whole')) : { rows: [] }
  const { steps = 0, excluded = 0 } = rows[0] ?? {}
  return { allocated: steps - excluded, excluded }
}

/** What the runs in force gave. Whole sums come from the kept months where they can; they do not count steps. */
export async function shared(
  db: Db,
  companyId: number,
  { pieces, held }: { pieces: Piece[]; held: Held[] },
  bucket: Bucket,
): Promise<Sums<Shared>> {
  const under = underRuns(pieces, held)
  const split =
    bucket === 'whole'
      ? under.map((piece) => byMonths(piece, { from: piece.runFrom, to: piece.runTo }))
      : [{ months: [], days: under }]
  const months = split.flatMap((part) => part.months)
  const days = split.flatMap((part) => part.days)
  const rows = [
    ...(months.length ? (await db.execute<Row<Shared>>(sharedMonths(companyId, months))).rows : []),
    ...(days.length ? (await db.execute<Row<Shared>>(sharedDays(companyId, days, bucket))).rows : []),
  ]
  return gather(rows, (sum, more) => {
    sum.total += more.total
    sum.local += more.local
    sum.excluded += more.excluded
    sum.steps += more.steps
  })
}
