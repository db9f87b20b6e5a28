import { daysBetween, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { isWithinRanges } from './read-curves.ts'
import { listReadablePoints, type ReadablePoint, requireDayRange } from './readable-points.ts'

/** A month of a point: the days with a row, and their letters. */
type PointMonthLetters = { pointId: string; month: string; mask: number; letters: string }
type CompletenessQuery = { operationId: string; from: string; to: string }

async function loadPointMonths(
  db: Db,
  companyId: number,
  ids: string[],
  { from, to }: CompletenessQuery,
): Promise<PointMonthLetters[]> {
  const { rows } = await db.execute<PointMonthLetters>(sql`
    select point_id as "pointId", month::text as month, mask, letters from curve_months
     where company_id = ${companyId} and point_id = any(${sql.param(ids)}::uuid[])
       and month >= date_trunc('month', ${from}::date) and month < ${to}::date`)
  return rows
}

/** The letter of each day with a row, by its index in the period; indexes outside the period are harmless. */
export function mapLettersByDay(months: Omit<PointMonthLetters, 'pointId'>[], from: string): Map<number, string> {
  const found = new Map<number, string>()
  for (const { month, mask, letters } of months) {
    const first = daysBetween(from, month)
    let nth = 0
    for (let day = 0; day < 31; day++) if (mask & (1 << day)) found.set(first + day, letters[nth++] ?? 'm')
  }
  return found
}

/** One letter per day: the stored ones, m for a missing day and - for a day without expected data. */
export async function loadCompletenessMatrix(db: Db, actor: Actor, query: CompletenessQuery) {
  const { from, to, operationId } = query
  requireDayRange(from, to)
  await requireVisibleOperation(db, actor, operationId)
  const points = await listReadablePoints(db, actor, { operationId })
  const ids = points.map(({ id }) => id)
  const months = Map.groupBy(await loadPointMonths(db, actor.companyId, ids, query), ({ pointId }) => pointId)
  const days = listDays(from, to)
  // Today's readings arrive tomorrow.
  const expectedUntil = Math.min(days.length, Math.max(0, daysBetween(from, getToday())))
  const rows = points
    .filter((point) => point.spans.some((span) => span.from < to && (span.to === null || span.to > from)))
    .map((point) => toMatrixRow(point, days, expectedUntil, mapLettersByDay(months.get(point.id) ?? [], from)))
  const sum = (key: 'received' | 'expected') => rows.reduce((total, row) => total + row[key], 0)
  return { from, to, received: sum('received'), expected: sum('expected'), rows }
}

function toMatrixRow(
  { spans, ...point }: ReadablePoint,
  days: string[],
  expectedUntil: number,
  codes: Map<number, string>,
) {
  let received = 0
  let expected = 0
  const letters = days.map((day, at) => {
    if (!isWithinRanges(spans, day)) return '-'
    const code = codes.get(at) ?? 'm'
    const isExpected = at < expectedUntil
    if (isExpected) expected++
    if (isExpected && code !== 'm' && code !== 'p') received++
    return code === 'm' && !isExpected ? '-' : code
  })
  return { ...point, cells: letters.join(''), received, expected }
}
