import { sql } from 'drizzle-orm'
import { staleSums } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { column } from './columns.ts'
import type { Seat } from './crews.ts'
import { clip, parts, type Spans } from './fresh.ts'
import type { Period } from './period.ts'
import { cut, heldOver, operationsOf, type Piece, underRuns } from './pieces.ts'
import { membersOfOperations } from './scope.ts'
import { addSeat, emptySeats, keyOf, seatAdder } from './seat-pack.ts'
import { measured, sharedUnder } from './sums.ts'

/** A participation, and what is needed to read its days one by one. */
export type Place = Seat & { id: string }

/** What each was read and given over the period, from the days of its point. */
export async function readSeats(db: Db, companyId: number, seats: Place[], period: Period): Promise<Float64Array> {
  const sums = emptySeats(seats.length)
  await addPieces(
    db,
    companyId,
    cut(seats, period, (_, at) => at),
    period,
    sums,
  )
  return sums
}

async function addPieces(db: Db, companyId: number, pieces: Piece[], period: Period, sums: Float64Array) {
  if (!pieces.length) return
  const held = await heldOver(db, companyId, operationsOf(pieces), period)
  const read = await measured(db, companyId, pieces, 'whole')
  const run = await sharedUnder(db, companyId, underRuns(pieces, held), 'whole')
  for (const [at, own] of read) addSeat(sums, at, { energy: own.get('')?.energy ?? 0, total: 0, local: 0 })
  for (const [at, own] of run) addSeat(sums, at, { total: 0, local: 0, ...own.get(''), energy: 0 })
}

/** The same of members of whole operations: as it is kept, and from the days of the points where that is out of step. */
export const keptSeats = (db: Db, companyId: number, seats: Place[], period: Period): Promise<Float64Array> =>
  placedSeats(db, companyId, operationsOf(seats), period, new Map(seats.map(({ id }, at) => [keyOf(id), at])))

/** Of all the members of some operations, each where the keys of their participations say. */
export async function placedSeats(
  db: Db,
  companyId: number,
  ids: string[],
  period: Period,
  places: Map<string, number>,
): Promise<Float64Array> {
  const stale = await staleSums(db, companyId, ids)
  const sums = emptySeats(places.size)
  const add = seatAdder((key) => places.get(key), sums)
  for (const row of await keptRows(db, companyId, ids, period, stale)) add(row)
  if (!stale.size) return sums
  const members = await membersOfOperations(db, companyId, [...stale.keys()])
  const old = clip(
    cut(members, period, ({ id }) => places.get(keyOf(id)) ?? -1).filter(({ group }) => group >= 0),
    stale,
  )
  await addPieces(db, companyId, old, period, sums)
  return sums
}

type Row = { seats: Buffer | null; packed: Buffer }

/** Row after row; the list of seats comes where it differs from the one before. */
async function keptRows(db: Db, companyId: number, ids: string[], period: Period, stale: Spans): Promise<Row[]> {
  const ranges = ids.flatMap((id) => {
    const { months, days } = parts(period, stale.get(id) ?? [], true)
    return [
      ...months.map((span) => ({ id, monthly: 1, ...span })),
      ...days.map((span) => ({ id, monthly: 0, ...span })),
    ]
  })
  if (!ranges.length) return []
  const { rows } = await db.execute<Row>(sql`
    select case when s.seats is distinct from lag(s.seats) over w then s.seats end as seats, s.packed
      from unnest(${column(ranges.map(({ id }) => id))}::uuid[], ${column(ranges.map(({ monthly }) => monthly))}::int[],
                  ${column(ranges.map(({ from }) => from))}::date[],
                  ${column(ranges.map(({ to }) => to))}::date[]) m(operation_id, monthly, lo, hi)
      join operation_seats s on s.company_id = ${companyId} and s.operation_id = m.operation_id
       and s.monthly = (m.monthly = 1) and s.day >= m.lo and s.day < m.hi
    window w as (order by s.operation_id, s.monthly, s.day)
     order by s.operation_id, s.monthly, s.day`)
  return rows
}
