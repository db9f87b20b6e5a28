import type { Coordinates } from '@voisol/energy/model/climate'
import { STEPS, type Step } from '@voisol/energy/series'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, participations, points } from '../../../db/schema/index.ts'
import type { ActiveRange } from './sums.ts'

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

export const participatesOn = ({ spans }: ForecastPoint, day: string) =>
  spans.some(({ from, to }) => from <= day && (to === null || to > day))

/** The points that take part on a day. */
export const listParticipatingPoints = (
  { points: all }: OperationPoints,
  day: string,
  production: boolean,
): ForecastPoint[] => all.filter((point) => point.production === production && participatesOn(point, day))
