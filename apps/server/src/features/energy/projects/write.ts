import type { ProjectDetail, ProjectDraft, ProjectStatus, ProjectUpdate } from '@voisol/contract/projects'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { documents, projectNotes, projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { isThisProject, loadProject, lockProject } from './find.ts'
import { requireTransitionAllowed } from './life-cycle.ts'
import { replaceProjectLists } from './lists.ts'
import { requireValidCandidates } from './rules.ts'
import { buildUsualSteps } from './usual-steps.ts'

type ProjectInput = z.output<typeof ProjectDraft>
type UpdateProjectInput = z.output<typeof ProjectUpdate>

/** Usual prices of a new project, in tenths of a thousandth of a euro per kWh, and cents. */
const DEFAULT_PRICES = { localPrice: 1200, gridPrice: 2016, surplusPrice: 400, investmentPerKwc: 120_000 }

export async function createProject(tx: Db, actor: Actor, draft: ProjectInput): Promise<ProjectDetail> {
  const { roofs = [], candidates = [], steps, ...values } = draft
  await requireValidCandidates(tx, actor, candidates)
  const [row] = await tx
    .insert(projects)
    .values({ ...DEFAULT_PRICES, ...values, status: 'prospect', companyId: actor.companyId })
    .returning({ id: projects.id })
  if (!row) throw new AppError('internal')
  const of = { companyId: actor.companyId, id: row.id }
  await replaceProjectLists(tx, of, {
    roofs,
    candidates,
    steps: steps ?? buildUsualSteps(getToday(), values.targetOn ?? null),
  })
  return loadProject(tx, actor, row.id)
}

/** Lists are compared by content, since they are always new arrays. */
const omitLists = ({ roofs: _, candidates: __, steps: ___, ...rest }: ProjectDetail) => rest

export async function updateProject(tx: Db, actor: Actor, id: string, input: UpdateProjectInput) {
  const before = await lockProject(tx, actor, id)
  requireCurrentVersion(omitLists(before), input)
  const { roofs, candidates, steps, version, ...values } = input
  await requireValidCandidates(tx, actor, candidates)
  await tx
    .update(projects)
    .set({ ...values, version: version + 1 })
    .where(isThisProject(actor, id))
  await replaceProjectLists(tx, { companyId: actor.companyId, id }, { roofs, candidates, steps })
  return { before, after: await loadProject(tx, actor, id) }
}

type ChangeStatusInput = { status: z.output<typeof ProjectStatus>; version: number }

export async function changeProjectStatus(tx: Db, actor: Actor, id: string, { status, version }: ChangeStatusInput) {
  const before = await lockProject(tx, actor, id)
  requireCurrentVersion({ version: before.version }, { version })
  requireTransitionAllowed(before, status)
  await tx
    .update(projects)
    .set({ status, version: version + 1 })
    .where(isThisProject(actor, id))
  return { before, after: await loadProject(tx, actor, id) }
}

export async function addProjectNote(tx: Db, actor: Actor, id: string, text: string): Promise<ProjectDetail> {
  const project = await loadProject(tx, actor, id)
  const author = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  await tx.insert(projectNotes).values({ companyId: actor.companyId, projectId: project.id, text, author })
  return loadProject(tx, actor, id)
}

export async function removeProject(tx: Db, actor: Actor, id: string): Promise<ProjectDetail> {
  const project = await lockProject(tx, actor, id)
  if (project.operationId)
    throw new AppError('conflict', { message: 'Ce projet a donné une opération\u00a0: il est conservé avec elle.' })
  const [document] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.companyId, actor.companyId), eq(documents.ownerKind, 'project'), eq(documents.ownerId, id)))
    .limit(1)
  if (document) throw new AppError('conflict', { message: 'Retirez d’abord les documents joints à ce projet.' })
  await tx.delete(projects).where(isThisProject(actor, id))
  return project
}
