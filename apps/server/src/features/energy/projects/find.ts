import type { ProjectDetail } from '@voisol/contract/projects'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { computeProjectExtent } from './extent.ts'
import { listTransitions } from './life-cycle.ts'
import { loadProjectLists, loadProjectNotes } from './lists.ts'
import { projectScope } from './scope.ts'
import { isStudyStale, type StoredStudy } from './study-inputs.ts'
import { findProject } from './view.ts'

export const isThisProject = (actor: Actor, id: string) => and(projectScope(actor), eq(projects.id, id))

export async function loadProject(db: Db, actor: Actor, id: string): Promise<ProjectDetail> {
  const project = await findProject(db, actor, id)
  if (!project) throw new AppError('not-found')
  const of = { companyId: actor.companyId, id }
  const lists = await loadProjectLists(db, of)
  const [stored] = await db.select({ study: projects.study }).from(projects).where(isThisProject(actor, id))
  const study = (stored?.study ?? null) as StoredStudy | null // written by studyProject
  const { candidates: _, ...rest } = project
  return {
    ...rest,
    ...lists,
    ...computeProjectExtent(project, lists),
    notes: await loadProjectNotes(db, of),
    study: study?.result ?? null,
    studyStale: study !== null && (await isStudyStale(db, actor, study, { project, ...lists })),
    transitions: listTransitions(project),
  }
}

/** Locked until the transaction ends, so that changes of a project run one after the other. */
export async function lockProject(tx: Db, actor: Actor, id: string): Promise<ProjectDetail> {
  await tx.select({ id: projects.id }).from(projects).where(isThisProject(actor, id)).for('no key update')
  return loadProject(tx, actor, id)
}
