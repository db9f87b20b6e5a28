import { addMonths, daysBetween, listDays, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Meter, OperationPlan } from '../../../world/blueprint.ts'
import { lostDays } from '../../../world/readings.ts'
import { pointId } from './structure.ts'

export type Wanted = { meter: Meter; pointId: string; days: string[] }
type Span = { meter: Meter; pointId: string; from: string; to: string }

/** A meter is read from the day it comes into the operation until it leaves. */
function spansOf({ lines, meters }: OperationPlan, today: string): Span[] {
  return meters.flatMap((meter) => {
    const own = lines.filter(({ prm, direction }) => prm === meter.prm && direction === meter.direction)
    const from = own.map((line) => line.startsOn ?? today).reduce((a, b) => (a < b ? a : b), today)
    const to = own.map((line) => line.endsOn ?? today).reduce((a, b) => (a > b ? a : b), from)
    return from < today
      ? [{ meter, pointId: pointId(meter.ref, meter.direction), from, to: to < today ? to : today }]
      : []
  })
}

const ids = (spans: Span[]) => sql`${sql.param(spans.map((span) => span.pointId))}::uuid[]`

/** Days kept, by point and month. */
async function countDays(db: Db, companyId: number, spans: Span[]): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ key: string; days: number }>(sql`
    select point_id || ' ' || month as key, days from curve_months
     where company_id = ${companyId} and point_id = any(${ids(spans)})`)
  return new Map(rows.map(({ key, days }) => [key, days]))
}

async function keptDays(db: Db, companyId: number, spans: Span[], from: string): Promise<Set<string>> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select point_id || ' ' || day as key from curve_days
     where company_id = ${companyId} and point_id = any(${ids(spans)}) and day >= ${from} and superseded_at is null`)
  return new Set(rows.map(({ key }) => key))
}

const known = async (db: Db, companyId: number, spans: Span[]): Promise<Set<string>> => {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from points where company_id = ${companyId} and id = any(${ids(spans)})`)
  return new Set(rows.map(({ id }) => id))
}

/** Counted month by month, so that a look at a demo that is complete reads next to nothing. */
function firstGap({ pointId: id, from, to }: Span, counts: Map<string, number>, lost: Set<string>): string | null {
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    const [lo, hi] = [month > from ? month : from, next < to ? next : to]
    const gone = [...lost].filter((day) => day >= lo && day < hi).length
    if ((counts.get(`${id} ${month}`) ?? 0) < daysBetween(lo, hi) - gone) return lo
  }
  return null
}

/** What is to be read of the meters of an operation until yesterday, and is not kept yet. */
export async function missingDays(
  db: Db,
  companyId: number,
  plan: OperationPlan,
  today: string,
  anchor: string,
): Promise<Wanted[]> {
  const all = spansOf(plan, today)
  const there = await known(db, companyId, all)
  const spans = all.filter((span) => there.has(span.pointId))
  const counts = await countDays(db, companyId, spans)
  const open = spans.flatMap((span) => {
    const lost = lostDays(span.meter.ref, anchor)
    const since = firstGap(span, counts, lost)
    return since === null ? [] : [{ ...span, lost, since }]
  })
  if (!open.length) return []
  const first = open.map(({ since }) => since).reduce((a, b) => (a < b ? a : b))
  const kept = await keptDays(db, companyId, open, first)
  return open.flatMap(({ meter, pointId: id, to, lost, since }) => {
    const days = listDays(since, to).filter((day) => !lost.has(day) && !kept.has(`${id} ${day}`))
    return days.length ? [{ meter, pointId: id, days }] : []
  })
}
