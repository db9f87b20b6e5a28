import { addDays, dayStart, daysBetween } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { today } from '../../today.ts'
import { earlier, type Piece } from './pieces.ts'
import type { Member } from './scope.ts'

const columns = (pieces: Piece[]) => sql`unnest(${sql.param(pieces.map(({ pointId }) => pointId))}::uuid[],
  ${sql.param(pieces.map(({ lo }) => lo))}::date[], ${sql.param(pieces.map(({ hi }) => hi))}::date[]) as m(point_id, lo, hi)`

/** Readings that are estimates, of those of the pieces. */
export async function countEstimated(db: Db, companyId: number, pieces: Piece[]): Promise<number> {
  if (!pieces.length) return 0
  const { rows } = await db.execute<{ n: number }>(sql`
    select coalesce(sum(case when d.marks is null then d.present else (
             select count(*) from generate_series(0, length(d.marks) - 1) at where get_byte(d.marks, at) = 3) end), 0)::int as n
      from ${columns(pieces)} cross join lateral (
        select marks, present from curve_days
         where company_id = ${companyId} and point_id = m.point_id and day >= m.lo and day < m.hi
           and superseded_at is null and quality = 3 offset 0) d`)
  return rows[0]?.n ?? 0
}

/** The last day of which something is known, of the days of each member. */
export async function lastDays(db: Db, companyId: number, members: Member[]): Promise<(string | null)[]> {
  if (!members.length) return []
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select (select d.day from curve_days d
             where d.company_id = ${companyId} and d.point_id = m.point_id and d.superseded_at is null and d.present > 0
               and d.day >= m.lo and (m.hi is null or d.day < m.hi)
             order by d.day desc limit 1)::text as day
      from unnest(${sql.param(members.map(({ pointId }) => pointId))}::uuid[],
                  ${sql.param(members.map(({ startsOn }) => startsOn))}::date[],
                  ${sql.param(members.map(({ endsOn }) => endsOn))}::date[]) with ordinality as m(point_id, lo, hi, n)
     order by m.n`)
  return rows.map(({ day }) => day)
}

/** The midnight that closes the latest of the days, or now while it lasts. */
export function receivedUntil(days: (string | null)[]): string | null {
  const last = days.reduce((max, day) => (day !== null && (max === null || day > max) ? day : max), null)
  return last === null ? null : new Date(Math.min(dayStart(addDays(last, 1)) * 60_000, Date.now())).toISOString()
}

/**
 * Steps that should be there by now: those of the days that have come, and for days that never came
 * as many as the operation's own step makes.
 */
export function expectedSteps(pieces: Piece[], steps: Map<string, number>, come: { days: number; expected: number }) {
  const day = today()
  let due = 0
  let minutes = 0
  for (const { lo, hi, operationId } of pieces) {
    const until = earlier(hi, day)
    if (lo >= until) continue
    due += daysBetween(lo, until)
    minutes += (dayStart(until) - dayStart(lo)) / (steps.get(operationId) ?? 15)
  }
  const perDay = due ? minutes / due : 0
  return Math.round(come.expected + Math.max(0, due - come.days) * perDay)
}
