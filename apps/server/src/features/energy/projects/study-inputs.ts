import { createHash } from 'node:crypto'
import type { Project, Study } from '@voisol/contract/projects'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadCurveHash } from '../curves/index.ts'
import type { ProjectLists } from './project-lists.ts'

/** The twelve months of readings used for the coming year; half-open. */
export type MeasuredWindow = { from: string; to: string }
export type StoredStudy = { inputs: string; window: MeasuredWindow; result: Study }
export type StudyInputs = Pick<ProjectLists, 'roofs' | 'candidates'> & {
  project: Pick<
    Project,
    | 'latitude'
    | 'longitude'
    | 'postalCode'
    | 'method'
    | 'localPrice'
    | 'gridPrice'
    | 'surplusPrice'
    | 'investmentPerKwc'
    | 'yearlyCosts'
  >
}

/** Everything the study's figures depend on. */
function listHashedInputs({ project, roofs, candidates }: StudyInputs) {
  const { latitude, longitude, postalCode, method } = project
  const { localPrice, gridPrice, surplusPrice, investmentPerKwc, yearlyCosts } = project
  return [
    ENGINE_VERSION,
    [latitude, longitude, postalCode.slice(0, 3), method],
    [localPrice, gridPrice, surplusPrice, investmentPerKwc, yearlyCosts],
    roofs.map((roof) => [roof.peakWatts, roof.azimuth, roof.tilt, roof.latitude, roof.longitude]),
    candidates.map(({ name, profile, yearlyKwh, pointId }) => [name, profile, yearlyKwh, pointId]),
  ]
}

export const listPointIds = ({ candidates }: Pick<ProjectLists, 'candidates'>) => [
  ...new Set(candidates.flatMap(({ pointId }) => (pointId ? [pointId] : []))),
]

/** A hash of the study's inputs: any change, readings included, gives another one. */
export async function computeStudyInputsHash(
  db: Db,
  actor: Actor,
  inputs: StudyInputs,
  { from, to }: MeasuredWindow,
): Promise<string> {
  const points = listPointIds(inputs)
  const curves = points.length ? await loadCurveHash(db, actor.companyId, points, from, to) : ''
  return createHash('sha256')
    .update(JSON.stringify([...listHashedInputs(inputs), curves]))
    .digest('hex')
}

export const isStudyStale = async (db: Db, actor: Actor, study: StoredStudy, inputs: StudyInputs) =>
  (await computeStudyInputsHash(db, actor, inputs, study.window)) !== study.inputs
