import type { Db } from '../../../db/client.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { getProject, oneProject } from './find.ts'
import { lastYear, measuredLoads } from './measured.ts'
import { placeOf } from './study-curves.ts'
import { inputsHash, pointsOf, type StoredStudy, type StudyInputs } from './study-inputs.ts'

function requireMatter({ roofs, candidates }: StudyInputs) {
  if (!roofs.length) throw fieldError('roofs', 'Ajoutez au moins une toiture avant de lancer l’étude.')
  if (!candidates.length) throw fieldError('candidates', 'Ajoutez au moins un candidat avant de lancer l’étude.')
}

type Studying = Pick<Deps, 'compute'> & { db: Db; signal?: AbortSignal }

/** Figures of a typical year, kept with what they were made from. */
export async function studyProject({ db: tx, compute, signal }: Studying, actor: Actor, id: string) {
  const project = await getProject(tx, actor, id)
  const inputs: StudyInputs = { project, roofs: project.roofs, candidates: project.candidates }
  requireMatter(inputs)
  const place = placeOf(inputs)
  const window = lastYear(today())
  const hash = await inputsHash(tx, actor, inputs, window)
  const measured = await measuredLoads(tx, actor, pointsOf(inputs), window)
  const moved = [...measured.values()].map(({ buffer }) => buffer as ArrayBuffer) // never shared between threads
  const { companyId } = actor
  const result = await compute('projects.study', { inputs, place, measured }, { companyId, signal, moved })
  const study: StoredStudy = { inputs: hash, window, result }
  const kept = await tx
    .update(projects)
    .set({ study, studiedAt: new Date() })
    .where(oneProject(actor, id))
    .returning({ id: projects.id })
  if (!kept.length) throw new AppError('not-found')
  return getProject(tx, actor, id)
}
