import { addMonths, daysBetween, listDays, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { OperationPlan, PlannedMeter } from '../../../world/blueprint.ts'
import { listLostDays } from '../../../world/readings.ts'
import { getDemoPointId } from './structure.ts'

export type MissingDays = { meter: PlannedMeter; pointId: string; days: string[] }
type MeterPeriod = { meter: PlannedMeter; pointId: string; from: string; to: string }

/** A meter is read from the day it joins the operation until it leaves. */
function listMeterPeriods({ lines, meters }: OperationPlan, today: string): MeterPeriod[] {
  return meters.flatMap((meter) => {
    const own = lines.filter(({ prm, direction }) => prm === meter.prm && direction === meter.direction)
    const from = own.map((line) => line.startsOn ?? today).reduce((a, b) => (a < b ? a : b), today)
    const to = own.map((line) => line.endsOn ?? today).reduce((a, b) => (a > b ? a : b), from)
    return from < today
      ? [{ meter, pointId: getDemoPointId(meter.ref, meter.direction), from, to: to < today ? to : today }]
      : []
  })
}

const toPointIds = (spans: MeterPeriod[]) => sql`${sql.param(spans.map((span) => span.pointId))}::uuid[]`

/** Number of stored days by point and month. */
async function countStoredDays(db: Db, companyId: number, spans: MeterPeriod[]): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ key: string; days: number }>(sql`
    select point_id || ' ' || month as key, days from curve_months
     where company_id = ${companyId} and point_id = any(${toPointIds(spans)})`)
  return new Map(rows.map(({ key, days }) => [key, days]))
}

async function loadStoredDays(db: Db, companyId: number, spans: MeterPeriod[], from: string): Promise<Set<string>> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select point_id || ' ' || day as key from curve_days
     where company_id = ${companyId} and point_id = any(${toPointIds(spans)}) and day >= ${from} and superseded_at is null`)
  return new Set(rows.map(({ key }) => key))
}

const loadExistingPointIds = async (db: Db, companyId: number, spans: MeterPeriod[]): Promise<Set<string>> => {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from points where company_id = ${companyId} and id = any(${toPointIds(spans)})`)
  return new Set(rows.map(({ id }) => id))
}

/** Compares counts by month, so that checking a complete demo reads almost nothing. */
function findFirstGap(
  { pointId: id, from, to }: MeterPeriod,
  counts: Map<string, number>,
  lost: Set<string>,
): string | null {
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    const [lo, hi] = [month > from ? month : from, next < to ? next : to]
    const gone = [...lost].filter((day) => day >= lo && day < hi).length
    if ((counts.get(`${id} ${month}`) ?? 0) < daysBetween(lo, hi) - gone) return lo
  }
  return null
}

/** The days until yesterday for which the meters of an operation have no stored readings yet. */
export async function listMissingDays(
  db: Db,
  companyId: number,
  plan: OperationPlan,
  today: string,
  anchor: string,
): Promise<MissingDays[]> {
  const all = listMeterPeriods(plan, today)
  const existingIds = await loadExistingPointIds(db, companyId, all)
  const spans = all.filter((span) => existingIds.has(span.pointId))
  const counts = await countStoredDays(db, companyId, spans)
  const open = spans.flatMap((span) => {
    const lost = listLostDays(span.meter.ref, anchor)
    const since = findFirstGap(span, counts, lost)
    return since === null ? [] : [{ ...span, lost, since }]
  })
  if (!open.length) return []
  const first = open.map(({ since }) => since).reduce((a, b) => (a < b ? a : b))
  const storedDays = await loadStoredDays(db, companyId, open, first)
  return open.flatMap(({ meter, pointId: id, to, lost, since }) => {
    const days = listDays(since, to).filter((day) => !lost.has(day) && !storedDays.has(`${id} ${day}`))
    return days.length ? [{ meter, pointId: id, days }] : []
  })
}
