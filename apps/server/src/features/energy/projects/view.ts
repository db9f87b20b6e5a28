import type { Project, ProjectQuery } from '@voisol/contract/projects'
import { and, asc, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { projectScope } from './scope.ts'

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
export async function findProject(db: Db, actor: Actor, id: string): Promise<Project | undefined> {
  const [row] = await selectProjects(db).where(and(projectScope(actor), eq(projects.id, id)))
  return row && toProjectView(row)
}
