import { addDays, dayStart, daysBetween } from '@voisol/energy/calendar'
import { type SQL, sql } from 'drizzle-orm'

import { listStaleRollups } from '../../../core/stale-rollups.ts'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import { listMembersOfOperations, type Member, toSqlArray } from './member-scope.ts'
import { type MemberPeriod, minDay } from './periods.ts'
import type { StaleRanges } from './rollup-read.ts'

const buildMemberPeriodTable = (
  pieces: MemberPeriod[],
) => sql`unnest(${toSqlArray(pieces.map(({ pointId }) => pointId))}::uuid[],
  ${toSqlArray(pieces.map(({ lo }) => lo))}::date[], ${toSqlArray(pieces.map(({ hi }) => hi))}::date[]) as m(point_id, lo, hi)`

/** The number of estimated readings in the member periods. */
export async function countEstimatedReadings(db: Db, companyId: number, pieces: MemberPeriod[]): Promise<number> {
  if (!pieces.length) return 0
  const { rows } = await db.execute<{ n: number }>(sql`
    select coalesce(sum(case when d.marks is null and d.quality > 3 then 0 when d.marks is null then d.present else (
             select count(*) from generate_series(0, length(d.marks) - 1) at where get_byte(d.marks, at) = 3) end), 0)::int as n
      from ${buildMemberPeriodTable(pieces)} cross join lateral (
        select marks, present, quality from curve_days
         where company_id = ${companyId} and point_id = m.point_id and day >= m.lo and day < m.hi
           and superseded_at is null and quality >= 3 offset 0) d`)
  return rows[0]?.n ?? 0
}

/** Most points have data in these last days, which is then the latest of all. */
const RECENT_READING_DAYS = 7

/** The last day with data, among the members' days. */
export async function loadLastDayOfMembers(db: Db, companyId: number, members: Member[]): Promise<string | null> {
  if (!members.length) return null
  const since = (lo: SQL) => sql`
    select max(d.day) from m cross join lateral (
      select day from curve_days
       where company_id = ${companyId} and point_id = m.point_id and superseded_at is null and present > 0
         and day >= ${lo} and day < coalesce(m.hi, 'infinity') order by day desc limit 1) d`
  const { rows } = await db.execute<{ day: string | null }>(sql`
    with m as (select * from unnest(${toSqlArray(members.map(({ pointId }) => pointId))}::uuid[],
      ${toSqlArray(members.map(({ startsOn }) => startsOn))}::date[],
      ${toSqlArray(members.map(({ endsOn }) => endsOn))}::date[]) as t(point_id, lo, hi))
    select coalesce((${since(sql`greatest(m.lo, ${addDays(getToday(), -RECENT_READING_DAYS)}::date)`)}),
                    (${since(sql`m.lo`)}))::text as day`)
  return rows[0]?.day ?? null
}

/** The end of the day, or now while it lasts. */
export const computeReceivedUntil = (last: string | null): string | null =>
  last === null ? null : new Date(Math.min(dayStart(addDays(last, 1)) * 60_000, Date.now())).toISOString()

/** Steps expected so far: those of received days, and for missing days the number at the operation's own step. */
export function countExpectedSteps(
  memberPeriods: MemberPeriod[],
  steps: Map<string, number>,
  received: { days: number; expected: number },
) {
  const day = getToday()
  let due = 0
  let minutes = 0
  for (const { lo, hi, operationId, count = 1 } of memberPeriods) {
    const until = minDay(hi, day)
    if (lo >= until) continue
    due += daysBetween(lo, until) * count
    minutes += ((dayStart(until) - dayStart(lo)) / (steps.get(operationId) ?? 15)) * count
  }
  const perDay = due ? minutes / due : 0
  return Math.round(received.expected + Math.max(0, due - received.days) * perDay)
}

/** The last day with data, of each operation that has any. */
export async function loadLastDaysByOperation(
  db: Db,
  companyId: number,
  operationIds: string[],
  knownStaleRanges?: StaleRanges,
): Promise<Map<string, string>> {
  const stale = knownStaleRanges ?? (await listStaleRollups(db, companyId, operationIds))
  const freshOperationIds = operationIds.filter((id) => !stale.has(id))
  const { rows } = await db.execute<{ id: string; day: string }>(sql`
    select o.id, d.day::text as day from unnest(${toSqlArray(freshOperationIds)}::uuid[]) o(id) cross join lateral (
      select day from operation_days where company_id = ${companyId} and operation_id = o.id and present > 0
       order by day desc limit 1) d`)
  const found = new Map(rows.map(({ id, day }) => [id, day]))
  for (const id of stale.keys()) {
    const day = await loadLastDayOfMembers(db, companyId, await listMembersOfOperations(db, companyId, [id]))
    if (day !== null) found.set(id, day)
  }
  return found
}
