import type { Db } from '../../../db/client.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { isThisProject, loadProject } from './find.ts'
import { getLastYearWindow, loadMeasuredLoads } from './measured.ts'
import { requireProjectPlace } from './study-curves.ts'
import { computeStudyInputsHash, listPointIds, type StoredStudy, type StudyInputs } from './study-inputs.ts'

function requireRoofsAndCandidates({ roofs, candidates }: StudyInputs) {
  if (!roofs.length) throw fieldError('roofs', 'Ajoutez au moins une toiture avant de lancer l’étude.')
  if (!candidates.length) throw fieldError('candidates', 'Ajoutez au moins un candidat avant de lancer l’étude.')
}

type StudyDeps = Pick<Deps, 'compute'> & { db: Db; signal?: AbortSignal }

/** Computes the figures of a typical year, and stores them with their inputs' hash. */
export async function studyProject({ db: tx, compute, signal }: StudyDeps, actor: Actor, id: string) {
  const project = await loadProject(tx, actor, id)
  const inputs: StudyInputs = { project, roofs: project.roofs, candidates: project.candidates }
  requireRoofsAndCandidates(inputs)
  const place = requireProjectPlace(inputs)
  const window = getLastYearWindow(getToday())
  const hash = await computeStudyInputsHash(tx, actor, inputs, window)
  const measured = await loadMeasuredLoads(tx, actor, listPointIds(inputs), window)
  const moved = [...measured.values()].map(({ buffer }) => buffer as ArrayBuffer) // never shared between threads
  const { companyId } = actor
  const result = await compute('projects.study', { inputs, place, measured }, { companyId, signal, moved })
  const study: StoredStudy = { inputs: hash, window, result }
  const updatedRows = await tx
    .update(projects)
    .set({ study, studiedAt: new Date() })
    .where(isThisProject(actor, id))
    .returning({ id: projects.id })
  if (!updatedRows.length) throw new AppError('not-found')
  return loadProject(tx, actor, id)
}
