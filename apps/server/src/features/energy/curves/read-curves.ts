import { dayStart, listDays } from '@voisol/energy/calendar'
import { MISSING, type Step, toEnergySteps } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import type { DayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { getMarkAt } from './curve-day.ts'
import { copyCurveDay, forEachCurveDay, type StoredCurveDay } from './curve-day-reader.ts'

export type { StoredCurveDay } from './curve-day-reader.ts'

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

/** Watt-minutes per step, MISSING when a part is unknown; the mark is the weakest of the parts. */
export type AlignedCurve = { values: Int32Array; marks: Uint8Array }
/** Half-open range of days; without end when `to` is null. */
export type OpenDayRange = { from: string; to: string | null }

export const isWithinRanges = (ranges: OpenDayRange[], day: string) =>
  ranges.some(({ from, to }) => day >= from && (to === null || day < to))

export function createUnknownCurve(from: string, to: string, step: Step): AlignedCurve {
  const length = Math.max(0, (dayStart(to) - dayStart(from)) / step)
  return { values: new Int32Array(length).fill(MISSING), marks: new Uint8Array(length) }
}

/** Writes a day's readings into the steps from `at` on. */
export function placeReadings(
  { values, marks }: AlignedCurve,
  day: DayReadings,
  startsAt: number,
  at: number,
  step: Step,
): void {
  const { watts } = day
  if (day.step !== step) {
    values.set(toEnergySteps({ startsAt, step: day.step, watts }, step), at)
    setPartMarks(values, marks, day, at, step)
    return
  }
  for (let n = 0; n < watts.length; n++) {
    const value = watts[n] ?? MISSING
    if (value < 0) continue
    values[at + n] = value * step
    marks[at + n] = day.marks?.[n] ?? day.quality
  }
}

function setPartMarks(values: Int32Array, marks: Uint8Array, day: DayReadings, at: number, step: Step): void {
  const steps = (day.watts.length * day.step) / step
  for (let n = 0; n < steps; n++) {
    if ((values[at + n] ?? MISSING) < 0) continue
    const last = Math.floor(((n + 1) * step - 1) / day.step)
    let mark = 0
    for (let part = Math.floor((n * step) / day.step); part <= last; part++) mark = Math.max(mark, getMarkAt(day, part))
    marks[at + n] = mark
  }
}
