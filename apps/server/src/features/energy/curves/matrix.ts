import { daysBetween, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { isWithin } from './aligned.ts'
import { requireRange } from './range.ts'
import { type ReadablePoint, readablePoints } from './scope.ts'

/** The days of a point that have a row, counted from the first of the period, and their letters. */
type Letters = { pointId: string; days: string; letters: string }
type Query = { operationId: string; from: string; to: string }

/** r received, p partial, d with doubtful values, e with estimates, c corrected; m missing and - not expected are the days without a row. */
async function readLetters(db: Db, companyId: number, ids: string[], { from, to }: Query): Promise<Letters[]> {
  const { rows } = await db.execute<Letters>(sql`
    select point_id as "pointId", string_agg((day - ${from}::date)::text, ',' order by day) as days,
      string_agg(case when present = 0 then 'm' when present < expected then 'p' when quality = 4 then 'd' when quality = 3 then 'e'
        when quality = 2 then 'c' else 'r' end, '' order by day) as letters
    from curve_days
    where company_id = ${companyId} and point_id = any(${sql.param(ids)}::uuid[]) and day >= ${from} and day < ${to}
      and superseded_at is null
    group by point_id`)
  return rows
}

export async function completeness(db: Db, actor: Actor, query: Query) {
  const { from, to, operationId } = query
  requireRange(from, to)
  await findOperation(db, actor, operationId)
  const points = await readablePoints(db, actor, { operationId })
  const ids = points.map(({ id }) => id)
  const letters = new Map((await readLetters(db, actor.companyId, ids, query)).map((row) => [row.pointId, row]))
  const days = listDays(from, to)
  // Today's readings come tomorrow.
  const expectedUntil = Math.min(days.length, Math.max(0, daysBetween(from, today())))
  const rows = points
    .filter((point) => point.spans.some((span) => span.from < to && (span.to === null || span.to > from)))
    .map((point) => rowOf(point, days, expectedUntil, letters.get(point.id)))
  const sum = (key: 'received' | 'expected') => rows.reduce((total, row) => total + row[key], 0)
  return { from, to, received: sum('received'), expected: sum('expected'), rows }
}

function rowOf({ spans, ...point }: ReadablePoint, days: string[], expectedUntil: number, found?: Letters) {
  const codes = new Map(found?.days.split(',').map((at, n) => [Number(at), found.letters[n]]))
  let received = 0
  let expected = 0
  const letters = days.map((day, at) => {
    if (!isWithin(spans, day)) return '-'
    const code = codes.get(at) ?? 'm'
    const waited = at < expectedUntil
    if (waited) expected++
    if (waited && code !== 'm' && code !== 'p') received++
    return code === 'm' && !waited ? '-' : code
  })
  return { ...point, cells: letters.join(''), received, expected }
}
