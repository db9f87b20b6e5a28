import type { Project, ProjectDetail } from '@voisol/contract/projects'
import { findFarthestPoints, findPerimeterProblems } from '@voisol/energy/perimeter'
import type { ProjectLists } from './lists.ts'

type PerimeterRules = Pick<Project, 'perimeter' | 'zone'>
type ProjectExtent = Pick<ProjectDetail, 'findings' | 'spread'>

/** The extent of a project over its roofs and candidates, and the perimeter rules it breaks. */
export function computeProjectExtent(
  { perimeter, zone }: PerimeterRules,
  { roofs, candidates }: Pick<ProjectLists, 'roofs' | 'candidates'>,
): ProjectExtent {
  const named = [
    ...roofs.map(({ building, ...place }) => ({ ...place, label: building })),
    ...candidates.map(({ name, ...place }) => ({ ...place, label: name })),
  ]
  const points = named.map(({ label, latitude, longitude }, at) => ({
    id: String(at),
    label,
    latitude: latitude ?? Number.NaN,
    longitude: longitude ?? Number.NaN,
  }))
  const { metres, pair } = findFarthestPoints(
    points.filter(({ latitude, longitude }) => Number.isFinite(latitude + longitude)),
  )
  const watts = roofs.reduce((sum, { peakWatts }) => sum + peakWatts, 0)
  return {
    spread: pair && { metres: Math.round(metres), from: pair[0].label, to: pair[1].label },
    findings: findPerimeterProblems({ perimeter, zone, points, watts }).map(({ severity, message, rule }) => ({
      severity,
      message,
      rule,
    })),
  }
}
