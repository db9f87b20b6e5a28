import { type SQL, sql } from 'drizzle-orm'
import { staleSums } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { column } from './columns.ts'
import { type Seat, sideOf } from './crews.ts'
import { clip, parts, type Spans } from './fresh.ts'
import type { Period } from './period.ts'
import { cut, heldOverEach, operationsOf, type Piece, underRuns } from './pieces.ts'
import { membersOfOperations } from './scope.ts'
import {
  addMeasured,
  addShared,
  type Bucket,
  type Measured,
  measured,
  type Shared,
  type Sums,
  sharedUnder,
} from './sums.ts'

/** Groups of four, one for each side, that an operation's period is summed into. */
type GroupOf = (operationId: string, nth: number) => number
type Asked = { db: Db; companyId: number; ids: string[]; periods: Period[]; bucket: Bucket; groupOf: GroupOf }
type Range = Period & { operationId: string; group: number }
type Row = Measured & Shared & { group: number; bucket: string }
export type Both = { read: Sums<Measured>; run: Sums<Shared> }

/** The sums of whole operations: as they are kept, and from the days of the points where a mark says they are not in step. */
export async function keptOver(
  db: Db,
  companyId: number,
  crews: Seat[],
  periods: Period[],
  bucket: Bucket,
  groupOf: GroupOf,
  known?: Spans,
): Promise<Both> {
  const ids = operationsOf(crews)
  const asked = { db, companyId, ids, periods, bucket, groupOf }
  const stale = known ?? (await staleSums(db, companyId, ids))
  const both: Both = { read: new Map(), run: new Map() }
  for (const row of await keptRows(asked, stale)) {
    addTo(both.read, row, row, addMeasured)
    addTo(both.run, row, row, addShared)
  }
  if (stale.size) await addStale(both, asked, stale)
  return both
}

type Place = { group: number; bucket: string }
export function addTo<T extends object>(
  sums: Sums<T>,
  { group, bucket }: Place,
  more: T,
  add: (sum: T, more: T) => void,
) {
  const own = sums.get(group) ?? new Map<string, T>()
  sums.set(group, own)
  const known = own.get(bucket)
  if (known) add(known, more)
  else own.set(bucket, { ...more })
}

async function keptRows({ db, companyId, ids, periods, bucket, groupOf }: Asked, stale: Spans): Promise<Row[]> {
  const months: Range[] = []
  const days: Range[] = []
  for (const [nth, period] of periods.entries())
    for (const operationId of ids) {
      const found = parts(period, stale.get(operationId) ?? [], bucket !== 'day')
      const range = (span: Period) => ({ ...span, operationId, group: groupOf(operationId, nth) })
      months.push(...found.months.map(range))
      days.push(...found.days.map(range))
    }
  const asked = [
    ...(months.length ? [statement(companyId, months, 'month', bucket)] : []),
    ...(days.length ? [statement(companyId, days, 'day', bucket)] : []),
  ]
  return asked.length ? (await db.execute<Row>(sql.join(asked, sql` union all `))).rows : []
}

const TABLES = { day: sql`operation_days`, month: sql`operation_months` }

function statement(companyId: number, ranges: Range[], unit: 'day' | 'month', bucket: Bucket): SQL {
  const day = sql.raw(unit)
  const first = bucket === 'month' && unit === 'day' ? sql`date_trunc('month', s.${day})::date` : sql`s.${day}`
  const name = bucket === 'whole' || bucket === 'counted' ? sql`''` : sql`(${first})::text`
  return sql`
    select m.g + s.side as "group", ${name} as bucket, sum(s.energy)::float8 as energy, sum(s.present)::int as present,
           sum(s.expected)::int as expected, sum(s.days)::int as days, bool_or(s.holes) as holes,
           max(s.quality)::int as quality, sum(s.estimated)::int as estimated, sum(s.total)::float8 as total,
           sum(s.local)::float8 as local, sum(s.excluded)::int as excluded, sum(s.steps)::int as steps,
           sum(s.seen)::int as seen, sum(s.given)::int as given
      from unnest(${column(ranges.map(({ group }) => group))}::int[],
                  ${column(ranges.map(({ operationId }) => operationId))}::uuid[],
                  ${column(ranges.map(({ from }) => from))}::date[],
                  ${column(ranges.map(({ to }) => to))}::date[]) m(g, operation_id, lo, hi)
     cross join lateral (
       select * from ${TABLES[unit]} where company_id = ${companyId} and operation_id = m.operation_id
          and ${day} >= m.lo and ${day} < m.hi offset 0) s
     group by 1, 2`
}

/** What the marks leave to be read from the points, as it was before sums were kept. */
async function addStale(both: Both, { db, companyId, periods, bucket, groupOf }: Asked, stale: Spans): Promise<void> {
  const ids = [...stale.keys()]
  const members = await membersOfOperations(db, companyId, ids)
  const cuts = periods.map((period, nth): Piece[] =>
    clip(
      cut(members, period, (member) => groupOf(member.operationId, nth) + sideOf(member)),
      stale,
    ),
  )
  if (!cuts.some((pieces) => pieces.length)) return
  const own = bucket === 'whole' ? 'counted' : bucket
  const held = await heldOverEach(db, companyId, ids, periods)
  const under = cuts.flatMap((pieces, nth) => underRuns(pieces, held[nth] ?? []))
  addAll(both.read, await measured(db, companyId, cuts.flat(), own), addMeasured)
  addAll(both.run, await sharedUnder(db, companyId, under, own), addShared)
}

function addAll<T extends object>(sums: Sums<T>, more: Sums<T>, add: (sum: T, more: T) => void): void {
  for (const [group, buckets] of more) for (const [bucket, value] of buckets) addTo(sums, { group, bucket }, value, add)
}
