import { computeDistanceMetres } from '@voisol/energy/perimeter'
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { projectCandidates, projects } from '../../../db/schema/index.ts'
import { loadAlignedCurves } from '../../energy/curves/curves.ts'
import type { InsightData } from './scene.ts'

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
