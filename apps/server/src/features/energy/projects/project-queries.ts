import type { Project, ProjectDetail, ProjectQuery } from '@voisol/contract/projects'
import { findFarthestPoints, findPerimeterProblems } from '@voisol/energy/perimeter'
import { and, asc, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadProjectLists, loadProjectNotes, type ProjectLists } from './project-lists.ts'
import { listTransitions } from './project-status.ts'
import { isStudyStale, type StoredStudy } from './study-inputs.ts'

type ListProjectsQuery = z.output<typeof ProjectQuery>

const isOfProject = sql`company_id = ${projects.companyId} and project_id = ${projects.id}`
const sumColumn = (column: string, table: string) =>
  sql<number>`(select coalesce(sum(${sql.raw(column)}), 0)::float8 from ${sql.raw(table)} where ${isOfProject})`

const peakWattsSql = sumColumn('peak_watts', 'project_roofs')
const yearlyKwhSql = sumColumn('yearly_kwh', 'project_candidates')
const candidateCountSql = sql<number>`(select count(*)::int from project_candidates where ${isOfProject})`
/** The first step not done yet. */
const nextStepSql = sql<{ title: string; dueOn: string | null } | null>`(
  select json_build_object('title', title, 'dueOn', due_on) from project_steps
   where ${isOfProject} and done_on is null order by position limit 1)`
const studyFigureSql = (name: 'selfConsumption' | 'payback') =>
  sql<number | null>`(${projects.study} -> 'result' ->> ${sql.raw(`'${name}'`)})::float8`
const selfConsumptionSql = studyFigureSql('selfConsumption')
const paybackSql = studyFigureSql('payback')

const { study: _, ...columns } = getTableColumns(projects)
const figureColumns = {
  peakWatts: peakWattsSql,
  yearlyKwh: yearlyKwhSql,
  candidates: candidateCountSql,
  nextStep: nextStepSql,
  selfConsumption: selfConsumptionSql,
  payback: paybackSql,
}

/** Sorted by life cycle, not alphabetically. */
const statusOrder = sql`array_position(array['prospect', 'study', 'agreement', 'running', 'abandoned'], ${projects.status})`
const PROJECT_SORTS = {
  name: sql`fold(${projects.name})`,
  status: statusOrder,
  city: sql`fold(${projects.city})`,
  targetOn: projects.targetOn,
  createdAt: projects.createdAt,
  nextStep: sql`(${nextStepSql} ->> 'dueOn')`,
  peakWatts: peakWattsSql,
  yearlyKwh: yearlyKwhSql,
  candidates: candidateCountSql,
  selfConsumption: selfConsumptionSql,
  payback: paybackSql,
}

const selectProjects = (db: Db) => db.select({ ...columns, ...figureColumns }).from(projects)
type ProjectListRow = Awaited<ReturnType<typeof selectProjects>>[number]

/** A finished project has no next step. */
const isFinished = ({ status }: ProjectListRow) => status === 'running' || status === 'abandoned'

const toProjectView = (row: ProjectListRow) =>
  ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    studiedAt: row.studiedAt?.toISOString() ?? null,
    nextStep:
      row.nextStep && !isFinished(row)
        ? { ...row.nextStep, late: row.nextStep.dueOn !== null && row.nextStep.dueOn < getToday() }
        : null,
  }) as Project // texts hold what the contract validated

const matchesQuery = (actor: Actor, { q, status, kind }: ListProjectsQuery) =>
  and(
    projectScope(actor),
    status && eq(projects.status, status),
    kind && eq(projects.kind, kind),
    matchesSearchWords(q, [projects.name, projects.city, projects.address, projects.postalCode, projects.description]),
  )

const selectSortedProjects = (db: Db, where: SQL | undefined, sort: string | undefined) =>
  selectProjects(db)
    .where(where)
    .orderBy(buildOrderBy(sort, PROJECT_SORTS, 'name'), asc(projects.id))

/** All matching projects in order, without paging. */
export const listAllProjects = async (db: Db, actor: Actor, query: ListProjectsQuery): Promise<Project[]> =>
  (await selectSortedProjects(db, matchesQuery(actor, query), query.sort)).map(toProjectView)

export async function listProjects(db: Db, actor: Actor, query: ListProjectsQuery) {
  const { limit, offset } = toLimitOffset(query)
  const where = matchesQuery(actor, query)
  const rows = await selectSortedProjects(db, where, query.sort).limit(limit).offset(offset)
  const [all] = await db.select({ n: count() }).from(projects).where(where)
  return { items: rows.map(toProjectView), total: all?.n ?? 0 }
}

/** A project with its figures, as in a list. */
async function findProject(db: Db, actor: Actor, id: string): Promise<Project | undefined> {
  const [row] = await selectProjects(db).where(and(projectScope(actor), eq(projects.id, id)))
  return row && toProjectView(row)
}

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

type PerimeterRules = Pick<Project, 'perimeter' | 'zone'>
type ProjectExtent = Pick<ProjectDetail, 'findings' | 'spread'>

/** The extent of a project over its roofs and candidates, and the perimeter rules it breaks. */
function computeProjectExtent(
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

const searchText = searchTextColumn(projects)

export const searchProjects: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({ id: projects.id, name: projects.name, city: projects.city, text: searchText })
    .from(projects)
    .where(and(projectScope(actor), look.holds(searchText)))
    .orderBy(look.rank(searchText), projects.name, projects.id)
    .limit(look.most)
  return rows.map(({ id, name, city, text: words }) => ({
    kind: 'project',
    id,
    title: name,
    detail: city,
    to: `/projects/${id}`,
    text: words,
  }))
}

/** A project belongs to the whole company; its routes are for administrators only. */
const projectScope = (actor: Actor): SQL => eq(projects.companyId, actor.companyId)
