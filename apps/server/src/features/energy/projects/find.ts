import type { ProjectDetail } from '@voisol/contract/projects'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { extentOf } from './extent.ts'
import { transitionsOf } from './life-cycle.ts'
import { readLists, readNotes } from './lists.ts'
import { projectScope } from './scope.ts'
import { isStale, type StoredStudy } from './study-inputs.ts'
import { readProject } from './view.ts'

export const oneProject = (actor: Actor, id: string) => and(projectScope(actor), eq(projects.id, id))

export async function getProject(db: Db, actor: Actor, id: string): Promise<ProjectDetail> {
  const project = await readProject(db, actor, id)
  if (!project) throw new AppError('not-found')
  const of = { companyId: actor.companyId, id }
  const lists = await readLists(db, of)
  const [stored] = await db.select({ study: projects.study }).from(projects).where(oneProject(actor, id))
  const study = (stored?.study ?? null) as StoredStudy | null // written by keepStudy alone
  const { candidates: _, ...rest } = project
  return {
    ...rest,
    ...lists,
    ...extentOf(project, lists),
    notes: await readNotes(db, of),
    study: study?.result ?? null,
    studyStale: study !== null && (await isStale(db, actor, study, { project, ...lists })),
    transitions: transitionsOf(project),
  }
}

/** Held until the transaction ends: changes of one project follow each other. */
export async function lockProject(tx: Db, actor: Actor, id: string): Promise<ProjectDetail> {
  await tx.select({ id: projects.id }).from(projects).where(oneProject(actor, id)).for('no key update')
  return getProject(tx, actor, id)
}
