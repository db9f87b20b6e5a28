import { withDe } from '@voisol/contract/elision'
import type { ProjectDetail, ProjectDraft, ProjectStatus, ProjectUpdate } from '@voisol/contract/projects'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { documents, points, projectNotes, projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { type CandidateLine, replaceProjectLists } from './project-lists.ts'
import { isThisProject, loadProject, lockProject } from './project-queries.ts'
import { requireTransitionAllowed } from './project-status.ts'

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

type CandidateIssue = { path: string; message: string }

function findRepeatedPrms(candidates: CandidateLine[]): CandidateIssue[] {
  const first = new Map<string, number>()
  return candidates.flatMap(({ prm, name }, at) => {
    const earlier = prm ? first.get(prm) : undefined
    if (prm && earlier === undefined) first.set(prm, at)
    if (earlier === undefined) return []
    const message = `Le PRM ${prm} ${withDe(name)} est déjà celui ${withDe(candidates[earlier]?.name ?? '')}.`
    return [{ path: `candidates.${at}.prm`, message }]
  })
}

async function findUnknownPoints(db: Db, actor: Actor, candidates: CandidateLine[]): Promise<CandidateIssue[]> {
  const ids = candidates.flatMap(({ pointId }) => (pointId ? [pointId] : []))
  if (!ids.length) return []
  const found = await db
    .select({ id: points.id })
    .from(points)
    .where(and(eq(points.companyId, actor.companyId), eq(points.direction, 'consumption'), inArray(points.id, ids)))
  const known = new Set(found.map(({ id }) => id))
  return candidates.flatMap(({ pointId, name }, at) =>
    pointId && !known.has(pointId)
      ? [{ path: `candidates.${at}.pointId`, message: `Le point de livraison choisi pour ${name} est introuvable.` }]
      : [],
  )
}

/** A PRM is one candidate, and only the company's points have curves. */
async function requireValidCandidates(db: Db, actor: Actor, candidates: CandidateLine[]) {
  const issues = [...findRepeatedPrms(candidates), ...(await findUnknownPoints(db, actor, candidates))]
  const [first] = issues
  if (first) throw new AppError('invalid', { message: first.message, issues })
}

/** The usual steps of a project, with their days after the first contact. */
const USUAL_STEPS: [title: string, days: number][] = [
  ['Réunir les factures et les accords de principe', 14],
  ['Relever les toitures et leurs ombrages', 30],
  ['Étude de faisabilité', 45],
  ['Constituer la personne morale organisatrice', 75],
  ['Signer les accords de participation et les consentements', 105],
  ['Demander le raccordement de la production', 120],
  ['Signer la convention avec le gestionnaire de réseau', 180],
  ['Travaux et attestation de conformité', 240],
  ['Mise en service', 270],
]
const USUAL_DURATION_DAYS = 270

/** Counted from today, or back from the target day; compressed when that day is near. */
export function buildUsualSteps(today: string, targetOn: string | null) {
  const left = targetOn ? Math.max(0, daysBetween(today, targetOn)) : USUAL_DURATION_DAYS
  const dayAt = (days: number) =>
    left < USUAL_DURATION_DAYS ? Math.round((days * left) / USUAL_DURATION_DAYS) : left - USUAL_DURATION_DAYS + days
  return USUAL_STEPS.map(([title, days]) => ({ title, dueOn: addDays(today, dayAt(days)), doneOn: null }))
}
