import { distanceMetres } from '@voisol/energy/perimeter'
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { projectCandidates, projects } from '../../../db/schema/index.ts'
import { readAligned } from '../../energy/curves/curves.ts'
import type { Scene } from './scene.ts'

/** Somebody who might join: a profile and a yearly consumption, or the energies of their meter over the scene. */
export type Joiner = {
  id: string
  name: string
  project: string
  profile: string
  yearlyKwh: number
  values: Int32Array | null
}

/** Beyond, no perimeter holds them together. */
const REACH_METRES = 20_000
const MOST = 30

/** The candidates of the projects that are not over, near enough to the operation; the largest first. */
export async function joinersOf(db: Db, companyId: number, scene: Scene): Promise<Joiner[]> {
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
  const near = rows.filter(({ candidate, place }) => {
    const { latitude, longitude } = candidate.latitude === null ? place : candidate
    if (!scene.place || latitude === null || longitude === null) return true
    return distanceMetres({ latitude, longitude }, scene.place) <= REACH_METRES
  })
  const taken = near.slice(0, MOST)
  const ids = taken.flatMap(({ candidate }) => candidate.pointId ?? [])
  const known = new Set(scene.points.map(({ id }) => id))
  const curves = ids.length ? await readAligned(db, companyId, ids, scene.from, scene.to, scene.step) : new Map()
  return taken
    .filter(({ candidate }) => candidate.pointId === null || !known.has(candidate.pointId))
    .map(({ candidate, project }) => {
      const curve = candidate.pointId === null ? undefined : curves.get(candidate.pointId)
      const isKnown = curve?.values.some((value: number) => value > 0)
      const { id, name, profile, yearlyKwh } = candidate
      return { id, name, project, profile, yearlyKwh, values: isKnown ? curve.values : null }
    })
}
