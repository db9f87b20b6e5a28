import { dayStart, listDays } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type AlignedCurve, createUnknownCurve, placeReadings } from './aligned.ts'
import { copyCurveDay, forEachCurveDay, type StoredCurveDay } from './day-reader.ts'

export type { AlignedCurve } from './aligned.ts'
export type { StoredCurveDay } from './day-reader.ts'

/** The days of each point in order; none for a point without readings. `knownAt` reads them as known at that moment. */
export async function loadCurves(
  db: Db,
  companyId: number,
  pointIds: string[],
  from: string,
  to: string,
  options: { knownAt?: Date | undefined } = {},
): Promise<Map<string, StoredCurveDay[]>> {
  const curves = new Map<string, StoredCurveDay[]>(pointIds.map((id) => [id, []]))
  await forEachCurveDay(db, { companyId, pointIds, from, to, ...options }, (day) =>
    curves.get(day.pointId)?.push(copyCurveDay(day)),
  )
  for (const days of curves.values()) days.sort((a, b) => (a.day < b.day ? -1 : 1))
  return curves
}

/** All points over the same steps of [from, to), for computations with several curves. */
export async function loadAlignedCurves(
  db: Db,
  companyId: number,
  pointIds: string[],
  from: string,
  to: string,
  step: Step,
  options: { knownAt?: Date | undefined } = {},
): Promise<Map<string, AlignedCurve>> {
  const origin = dayStart(from)
  const curves = new Map(pointIds.map((id) => [id, createUnknownCurve(from, to, step)]))
  const starts = new Map(listDays(from, to).map((day) => [day, dayStart(day)]))
  await forEachCurveDay(db, { companyId, pointIds, from, to, ...options }, (stored) => {
    const curve = curves.get(stored.pointId)
    const startsAt = starts.get(stored.day)
    if (curve && startsAt !== undefined) placeReadings(curve, stored, startsAt, (startsAt - origin) / step, step)
  })
  return curves
}

/** A hash of the readings of these points and days: any new version changes it. */
export async function loadCurveHash(
  db: Db,
  companyId: number,
  pointIds: string[],
  from: string,
  to: string,
): Promise<string> {
  const { rows } = await db.execute<{ hash: string }>(sql`
    select encode(sha256(convert_to(coalesce(string_agg(
      point_id || ' ' || day || ' ' || version || ' ' || md5(watts), ',' order by point_id, day), ''), 'UTF8')), 'hex') as hash
    from curve_days
    where company_id = ${companyId} and point_id = any(${sql.param(pointIds)}::uuid[])
      and day >= ${from} and day < ${to} and superseded_at is null`)
  return rows[0]?.hash ?? ''
}
