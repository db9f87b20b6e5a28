import { addDays, dayStart, daysBetween } from '@voisol/energy/calendar'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { today } from '../../../today.ts'
import { column } from './columns.ts'
import { earlier, type Piece } from './pieces.ts'
import type { Member } from './scope.ts'

const pieceTable = (pieces: Piece[]) => sql`unnest(${column(pieces.map(({ pointId }) => pointId))}::uuid[],
  ${column(pieces.map(({ lo }) => lo))}::date[], ${column(pieces.map(({ hi }) => hi))}::date[]) as m(point_id, lo, hi)`

/** Readings that are estimates, of those of the pieces. */
export async function countEstimated(db: Db, companyId: number, pieces: Piece[]): Promise<number> {
  if (!pieces.length) return 0
  const { rows } = await db.execute<{ n: number }>(sql`
    select coalesce(sum(case when d.marks is null and d.quality > 3 then 0 when d.marks is null then d.present else (
             select count(*) from generate_series(0, length(d.marks) - 1) at where get_byte(d.marks, at) = 3) end), 0)::int as n
      from ${pieceTable(pieces)} cross join lateral (
        select marks, present, quality from curve_days
         where company_id = ${companyId} and point_id = m.point_id and day >= m.lo and day < m.hi
           and superseded_at is null and quality >= 3 offset 0) d`)
  return rows[0]?.n ?? 0
}

/** Most points have something of the last days, and what is found there is the latest of all. */
const RECENT_DAYS = 7

/** The latest day of which something is known, of the days of the members. */
export async function lastDay(db: Db, companyId: number, members: Member[]): Promise<string | null> {
  if (!members.length) return null
  const since = (lo: SQL) => sql`
    select max(d.day) from m cross join lateral (
      select day from curve_days
       where company_id = ${companyId} and point_id = m.point_id and superseded_at is null and present > 0
         and day >= ${lo} and day < coalesce(m.hi, 'infinity') order by day desc limit 1) d`
  const { rows } = await db.execute<{ day: string | null }>(sql`
    with m as (select * from unnest(${column(members.map(({ pointId }) => pointId))}::uuid[],
      ${column(members.map(({ startsOn }) => startsOn))}::date[],
      ${column(members.map(({ endsOn }) => endsOn))}::date[]) as t(point_id, lo, hi))
    select coalesce((${since(sql`greatest(m.lo, ${addDays(today(), -RECENT_DAYS)}::date)`)}),
                    (${since(sql`m.lo`)}))::text as day`)
  return rows[0]?.day ?? null
}

/** The midnight that closes the day, or now while it lasts. */
export const receivedUntil = (last: string | null): string | null =>
  last === null ? null : new Date(Math.min(dayStart(addDays(last, 1)) * 60_000, Date.now())).toISOString()

/**
 * Steps that should be there by now: those of the days that have come, and for days that never came
 * as many as the operation's own step makes.
 */
export function expectedSteps(pieces: Piece[], steps: Map<string, number>, come: { days: number; expected: number }) {
  const day = today()
  let due = 0
  let minutes = 0
  for (const { lo, hi, operationId, count = 1 } of pieces) {
    const until = earlier(hi, day)
    if (lo >= until) continue
    due += daysBetween(lo, until) * count
    minutes += ((dayStart(until) - dayStart(lo)) / (steps.get(operationId) ?? 15)) * count
  }
  const perDay = due ? minutes / due : 0
  return Math.round(come.expected + Math.max(0, due - come.days) * perDay)
}
