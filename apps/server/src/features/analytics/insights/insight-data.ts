import type { KeySpan, PointCurve } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { computeDistanceMetres } from '@voisol/energy/perimeter'
import type { Step } from '@voisol/energy/series'
import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { loadKeySpans } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participations, points, projectCandidates, projects } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { loadRunInput, type RunInput } from '../../energy/allocation/index.ts'
import { loadAlignedCurves } from '../../energy/curves/index.ts'

type Place = { latitude: number; longitude: number }
export type PanelPlane = { peakWatts: number; azimuth: number; tilt: number; place: Place }
export type InsightPoint = PointCurve & {
  role: 'producer' | 'consumer'
  holderId: string
  plane: PanelPlane | null
  /** Only measured values: estimates are no evidence. */
  measured: Int32Array
}
/** Energies per step from `startsAt`; `days` are its local days. */
export type InsightData = {
  from: string
  to: string
  startsAt: number
  step: Step
  steps: number
  place: Place | null
  points: InsightPoint[]
  keys: KeySpan[]
  /** Plants of other operations near enough to have the same weather. */
  neighbours: { id: string; plane: PanelPlane; values: Int32Array }[]
}

const MAX_NEIGHBOUR_METRES = 50_000
/** The first mark of values that were not measured. */
const FIRST_ESTIMATED_MARK = 3

const toPlace = (row: { latitude: number | null; longitude: number | null }): Place | null =>
  row.latitude === null || row.longitude === null ? null : { latitude: row.latitude, longitude: row.longitude }

type PointRow = typeof points.$inferSelect

function toPanelPlane(row: PointRow, defaultPlace: Place | null): PanelPlane | null {
  const place = toPlace(row) ?? defaultPlace
  if (!place || row.peakWatts === null || row.azimuth === null || row.tilt === null) return null
  return { peakWatts: row.peakWatts, azimuth: row.azimuth, tilt: row.tilt, place }
}

/** The day after the last one with readings of at least half of the points; undefined when there is none. */
async function findEndOfKnownDays(db: Db, companyId: number, operationId: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ day: string }>(sql`
    with mine as (select point_id from participations
                   where company_id = ${companyId} and operation_id = ${operationId}
                     and (ends_on is null or ends_on > ${getToday()}))
    select d.day::text as day from curve_days d join mine on mine.point_id = d.point_id
     where d.company_id = ${companyId} and d.superseded_at is null and d.present > 0
       and d.day < ${getToday()} and d.day >= ${addDays(getToday(), -120)}
     group by d.day having count(*) * 2 >= (select count(*) from mine) order by d.day desc limit 1`)
  return rows[0] && addDays(rows[0].day, 1)
}

async function listNearbyPlants(db: Db, companyId: number, operationId: string, place: Place) {
  const rows = await db
    .selectDistinct({ point: points })
    .from(points)
    .innerJoin(
      participations,
      and(eq(participations.companyId, points.companyId), eq(participations.pointId, points.id)),
    )
    .where(
      and(
        eq(points.companyId, companyId),
        eq(points.direction, 'production'),
        eq(points.storage, false),
        isNotNull(points.latitude),
        ne(participations.operationId, operationId),
        or(isNull(participations.endsOn), gt(participations.endsOn, getToday())),
      ),
    )
  return rows.flatMap(({ point }) => {
    const plane = toPanelPlane(point, null)
    return plane && computeDistanceMetres(plane.place, place) <= MAX_NEIGHBOUR_METRES ? [{ id: point.id, plane }] : []
  })
}

const loadPointRows = async (db: Db, companyId: number, ids: string[]) =>
  new Map(
    (
      await db
        .select()
        .from(points)
        .where(and(eq(points.companyId, companyId), inArray(points.id, ids)))
    ).map((row) => [row.id, row]),
  )

/** The input of all rules over the last known days; undefined without data. */
export async function loadInsightData(
  db: Db,
  companyId: number,
  operationId: string,
  days: number,
): Promise<{ scene: InsightData; input: RunInput } | undefined> {
  const to = await findEndOfKnownDays(db, companyId, operationId)
  if (!to) return undefined
  const from = addDays(to, -days)
  const input = await loadRunInput(db, { companyId, operationId, from, to, estimated: false })
  const members = input.members.filter(({ endsOn, storage }) => (endsOn === null || endsOn > to) && !storage)
  const ids = [...new Set(members.map(({ pointId }) => pointId))]
  if (!ids.length) return undefined
  const [operation] = await db
    .select({ latitude: operations.latitude, longitude: operations.longitude })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  const place = operation ? toPlace(operation) : null
  const { step } = input
  const curves = await loadAlignedCurves(db, companyId, ids, from, to, step)
  const rows = await loadPointRows(db, companyId, ids)
  const nearPlants = place ? await listNearbyPlants(db, companyId, operationId, place) : []
  const neighbourCurves = nearPlants.length
    ? await loadAlignedCurves(
        db,
        companyId,
        nearPlants.map(({ id }) => id),
        from,
        to,
        60,
      )
    : new Map()
  const steps = (dayStart(to) - dayStart(from)) / step
  const at = (day: string) => Math.max(0, (dayStart(day) - dayStart(from)) / step)
  const scene: InsightData = {
    from,
    to,
    startsAt: dayStart(from),
    step,
    steps,
    place,
    keys: await loadKeySpans(db, input, input.keys, { from, to }),
    neighbours: nearPlants.map(({ id, plane }) => ({
      id,
      plane,
      values: neighbourCurves.get(id)?.values ?? new Int32Array(0),
    })),
    points: ids.flatMap((id): InsightPoint[] => {
      const [curve, row] = [curves.get(id), rows.get(id)]
      const own = members.filter(({ pointId }) => pointId === id)
      const last = own.at(-1)
      if (!curve || !row || !last) return []
      const { values, marks } = curve
      return [
        {
          id,
          role: row.direction === 'production' ? 'producer' : 'consumer',
          holderId: last.holderId,
          plane: row.direction === 'production' ? toPanelPlane(row, place) : null,
          values,
          active: own.map(({ startsOn }): [number, number] => [startsOn > from ? at(startsOn) : 0, steps]),
          measured: values.map((value, n) => ((marks[n] ?? 0) >= FIRST_ESTIMATED_MARK ? -1 : value)),
        },
      ]
    }),
  }
  return { scene, input }
}

/** A possible new member: a profile with a yearly consumption, or its measured energies. */
export type StoredCandidate = {
  id: string
  name: string
  project: string
  profile: string
  yearlyKwh: number
  values: Int32Array | null
}

/** Farther candidates fit no perimeter. */
const MAX_DISTANCE_METRES = 20_000
const MAX_CANDIDATES = 30

/** Candidates of unfinished projects near the operation, largest first. */
export async function listJoinCandidates(db: Db, companyId: number, scene: InsightData): Promise<StoredCandidate[]> {
  const rows = await db
    .select({ candidate: projectCandidates, project: projects.name, place: projects })
    .from(projectCandidates)
    .innerJoin(
      projects,
      and(eq(projects.companyId, projectCandidates.companyId), eq(projects.id, projectCandidates.projectId)),
    )
    .where(
      and(
        eq(projectCandidates.companyId, companyId),
        inArray(projects.status, ['prospect', 'study', 'agreement']),
        gt(projectCandidates.yearlyKwh, 0),
      ),
    )
    .orderBy(sql`${projectCandidates.yearlyKwh} desc`, asc(projectCandidates.id))
  const nearbyRows = rows.filter(({ candidate, place }) => {
    const { latitude, longitude } = candidate.latitude === null ? place : candidate
    if (!scene.place || latitude === null || longitude === null) return true
    return computeDistanceMetres({ latitude, longitude }, scene.place) <= MAX_DISTANCE_METRES
  })
  const selectedRows = nearbyRows.slice(0, MAX_CANDIDATES)
  const ids = selectedRows.flatMap(({ candidate }) => candidate.pointId ?? [])
  const memberPointIds = new Set(scene.points.map(({ id }) => id))
  const curves = ids.length ? await loadAlignedCurves(db, companyId, ids, scene.from, scene.to, scene.step) : new Map()
  return selectedRows
    .filter(({ candidate }) => candidate.pointId === null || !memberPointIds.has(candidate.pointId))
    .map(({ candidate, project }) => {
      const curve = candidate.pointId === null ? undefined : curves.get(candidate.pointId)
      const isKnown = curve?.values.some((value: number) => value > 0)
      const { id, name, profile, yearlyKwh } = candidate
      return { id, name, project, profile, yearlyKwh, values: isKnown ? curve.values : null }
    })
}
