import { dayStart } from '@voisol/energy/calendar'
import type { Coordinates } from '@voisol/energy/model/climate'
import { MISSING, type PowerSeries, STEPS, type Step } from '@voisol/energy/series'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, participations, points } from '../../../db/schema/index.ts'
import { type AlignedCurve, loadAlignedCurves } from '../../energy/curves/index.ts'

export type ForecastPoint = {
  id: string
  production: boolean
  peakWatts: number | null
  place: Coordinates | null
  spans: ActiveRange[]
}
export type OperationPoints = {
  companyId: number
  operationId: string
  step: Step
  place: Coordinates | null
  points: ForecastPoint[]
}

const toPlace = ({ latitude, longitude }: { latitude: number | null; longitude: number | null }): Coordinates | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }

/** An operation with its participating points; batteries neither produce nor consume. */
export async function loadOperationPoints(
  db: Db,
  companyId: number,
  operationId: string,
): Promise<OperationPoints | undefined> {
  const [operation] = await db
    .select()
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  if (!operation) return undefined
  const rows = await db
    .select({
      id: points.id,
      direction: points.direction,
      peakWatts: points.peakWatts,
      latitude: points.latitude,
      longitude: points.longitude,
      from: participations.startsOn,
      to: participations.endsOn,
    })
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .where(
      and(
        eq(participations.companyId, companyId),
        eq(participations.operationId, operationId),
        eq(points.storage, false),
        inArray(points.direction, ['production', 'consumption']),
      ),
    )
    .orderBy(asc(points.id), asc(participations.startsOn))
  const pointsById = new Map<string, ForecastPoint>()
  for (const { id, direction, peakWatts, from, to, ...place } of rows) {
    const known = pointsById.get(id) ?? {
      id,
      production: direction === 'production',
      peakWatts,
      place: toPlace(place),
      spans: [],
    }
    known.spans.push({ from, to })
    pointsById.set(id, known)
  }
  const step = STEPS.find((one) => one === operation.stepMinutes) ?? 60
  return { companyId, operationId, step, place: toPlace(operation), points: [...pointsById.values()] }
}

export type DayRange = { from: string; to: string }
/** Half-open range of days; without end when `to` is null. */
type ActiveRange = { from: string; to: string | null }

/** The number of curves in memory at once. */
const MAX_POINTS_IN_MEMORY = 60
const ESTIMATED_MARK = 3
/** With a smaller known share, the total is unknown. */
const MIN_KNOWN_SHARE = 0.5

async function forEachCurve(
  db: Db,
  companyId: number,
  ids: string[],
  { from, to }: DayRange,
  step: Step,
  visit: (id: string, curve: AlignedCurve) => void,
): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_POINTS_IN_MEMORY)
    for (const [id, curve] of await loadAlignedCurves(
      db,
      companyId,
      ids.slice(at, at + MAX_POINTS_IN_MEMORY),
      from,
      to,
      step,
    ))
      visit(id, curve)
}

const computeMean = (values: Int32Array): number => {
  let [sum, count] = [0, 0]
  for (const value of values) {
    if (value < 0) continue
    sum += value
    count++
  }
  return count > 0 ? sum / count : 0
}

export type SummedCurves = { series: PowerSeries; own: Map<string, PowerSeries>; silent: string[] }

/**
 * The total curve of these points to fit a model on. Missing points are extrapolated from the others by weight (peak
 * power, or own mean), so that a gap of one is neither a gap of all nor a zero.
 */
export async function sumCurves(
  db: Db,
  companyId: number,
  points: { id: string; weight: number | null }[],
  days: DayRange,
  step: Step,
  keepOwn = false,
): Promise<SummedCurves> {
  const startsAt = dayStart(days.from)
  const length = Math.max(0, (dayStart(days.to) - startsAt) / step)
  const [sum, known] = [new Float64Array(length), new Float64Array(length)]
  const weights = new Map(points.map(({ id, weight }) => [id, weight]))
  const own = new Map<string, PowerSeries>()
  const silent: string[] = []
  let whole = 0
  const ids = points.map(({ id }) => id)
  await forEachCurve(db, companyId, ids, days, step, (id, { values }) => {
    if (!values.some((value) => value >= 0)) {
      silent.push(id)
      return
    }
    const weight = weights.get(id) || computeMean(values) || 1
    whole += weight
    for (let at = 0; at < length; at++) {
      const value = values[at] ?? MISSING
      if (value < 0) continue
      sum[at] = (sum[at] ?? 0) + value
      known[at] = (known[at] ?? 0) + weight
    }
    if (keepOwn) own.set(id, { startsAt, step, watts: values.map((value) => (value < 0 ? MISSING : value / step)) })
  })
  const watts = Int32Array.from({ length }, (_, at) => {
    const part = known[at] ?? 0
    return part > 0 && part >= MIN_KNOWN_SHARE * whole ? Math.round(((sum[at] ?? 0) * whole) / part / step) : MISSING
  })
  return { series: { startsAt, step, watts }, own, silent: silent.sort() }
}

/**
 * The total curve to score forecasts with: -1 at steps where a participating point was not measured, or only estimated.
 */
export async function sumMeasuredCurves(
  db: Db,
  companyId: number,
  points: { id: string; spans: ActiveRange[] }[],
  days: DayRange,
  step: Step,
): Promise<PowerSeries> {
  const startsAt = dayStart(days.from)
  const length = Math.max(0, (dayStart(days.to) - startsAt) / step)
  const sum = new Float64Array(length)
  const present = new Uint8Array(length)
  const spans = new Map(points.map((point) => [point.id, point.spans]))
  const ids = points.map(({ id }) => id)
  await forEachCurve(db, companyId, ids, days, step, (id, { values, marks }) => {
    for (const { from, to } of spans.get(id) ?? []) {
      const first = Math.max(0, (dayStart(from) - startsAt) / step)
      const last = to === null ? length : Math.min(length, (dayStart(to) - startsAt) / step)
      for (let at = first; at < last; at++) {
        const value = values[at] ?? MISSING
        present[at] = 1
        sum[at] = value < 0 || marks[at] === ESTIMATED_MARK ? Number.NaN : (sum[at] ?? 0) + value
      }
    }
  })
  const watts = Int32Array.from({ length }, (_, at) => {
    const value = sum[at] ?? Number.NaN
    return present[at] && !Number.isNaN(value) ? Math.round(value / step) : MISSING
  })
  return { startsAt, step, watts }
}
