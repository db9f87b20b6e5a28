import type { ProjectDetail, ProjectDraft, ProjectStatus, ProjectUpdate } from '@voisol/contract/projects'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { documents, projectNotes, projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { getProject, lockProject, oneProject } from './find.ts'
import { requireMove } from './life-cycle.ts'
import { replaceLists } from './lists.ts'
import { requireSoundCandidates } from './rules.ts'
import { usualSteps } from './usual-steps.ts'

type Draft = z.output<typeof ProjectDraft>
type Update = z.output<typeof ProjectUpdate>

/** Tenths of a thousandth of a euro per kWh, and cents: what a project usually starts from. */
const USUAL = { localPrice: 1200, gridPrice: 2016, surplusPrice: 400, investmentPerKwc: 120_000 }

export async function createProject(tx: Db, actor: Actor, draft: Draft): Promise<ProjectDetail> {
  const { roofs = [], candidates = [], steps, ...values } = draft
  await requireSoundCandidates(tx, actor, candidates)
  const [row] = await tx
    .insert(projects)
    .values({ ...USUAL, ...values, status: 'prospect', companyId: actor.companyId })
    .returning({ id: projects.id })
  if (!row) throw new AppError('internal')
  const of = { companyId: actor.companyId, id: row.id }
  await replaceLists(tx, of, { roofs, candidates, steps: steps ?? usualSteps(today(), values.targetOn ?? null) })
  return getProject(tx, actor, row.id)
}

/** Lists are told apart by their content, not by being another array. */
const withoutLists = ({ roofs: _, candidates: __, steps: ___, ...rest }: ProjectDetail) => rest

export async function updateProject(tx: Db, actor: Actor, id: string, input: Update) {
  const before = await lockProject(tx, actor, id)
  requireVersion(withoutLists(before), input)
  const { roofs, candidates, steps, version, ...values } = input
  await requireSoundCandidates(tx, actor, candidates)
  await tx
    .update(projects)
    .set({ ...values, version: version + 1 })
    .where(oneProject(actor, id))
  await replaceLists(tx, { companyId: actor.companyId, id }, { roofs, candidates, steps })
  return { before, after: await getProject(tx, actor, id) }
}

type Move = { status: z.output<typeof ProjectStatus>; version: number }

export async function moveProject(tx: Db, actor: Actor, id: string, { status, version }: Move) {
  const before = await lockProject(tx, actor, id)
  requireVersion({ version: before.version }, { version })
  requireMove(before, status)
  await tx
    .update(projects)
    .set({ status, version: version + 1 })
    .where(oneProject(actor, id))
  return { before, after: await getProject(tx, actor, id) }
}

export async function addNote(tx: Db, actor: Actor, id: string, text: string): Promise<ProjectDetail> {
  const project = await getProject(tx, actor, id)
  const author = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  await tx.insert(projectNotes).values({ companyId: actor.companyId, projectId: project.id, text, author })
  return getProject(tx, actor, id)
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
  await tx.delete(projects).where(oneProject(actor, id))
  return project
}
