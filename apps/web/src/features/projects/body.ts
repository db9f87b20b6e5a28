import type { ProjectDetail, ProjectUpdate } from '@voisol/contract/projects'
import type { z } from 'zod'

export type ProjectUpdateBody = z.input<typeof ProjectUpdate>
export type RoofLine = ProjectDetail['roofs'][number]
export type CandidateLine = ProjectDetail['candidates'][number]
export type StepLine = ProjectDetail['steps'][number]

/** An update replaces everything: what is not changed is sent back as it was read. */
export function buildUpdateBody(project: ProjectDetail, change: Partial<ProjectUpdateBody>): ProjectUpdateBody {
  const { name, kind, description, address, postalCode, city, latitude, longitude, perimeter, zone } = project
  const { localPrice, gridPrice, surplusPrice, investmentPerKwc, yearlyCosts, method, targetOn } = project
  const { roofs, candidates, steps, version } = project
  return {
    name,
    kind,
    description,
    address,
    postalCode,
    city,
    latitude,
    longitude,
    perimeter,
    zone,
    localPrice,
    gridPrice,
    surplusPrice,
    investmentPerKwc,
    yearlyCosts,
    method,
    targetOn,
    roofs,
    candidates,
    steps,
    version,
    ...change,
  }
}

/** The list with one line put in its place, added at the end, or taken out. */
export const withLine = <T>(lines: T[], at: number | null, line: T): T[] =>
  at === null ? [...lines, line] : lines.map((old, n) => (n === at ? line : old))
export const withoutLine = <T>(lines: T[], at: number): T[] => lines.filter((_, n) => n !== at)
