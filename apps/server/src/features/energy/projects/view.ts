import type { Project, ProjectQuery } from '@voisol/contract/projects'
import { and, asc, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { projectScope } from './scope.ts'

type Query = z.output<typeof ProjectQuery>

const ofProject = sql`company_id = ${projects.companyId} and project_id = ${projects.id}`
const total = (column: string, table: string) =>
  sql<number>`(select coalesce(sum(${sql.raw(column)}), 0)::float8 from ${sql.raw(table)} where ${ofProject})`

const peakWatts = total('peak_watts', 'project_roofs')
const yearlyKwh = total('yearly_kwh', 'project_candidates')
const candidates = sql<number>`(select count(*)::int from project_candidates where ${ofProject})`
/** The first step that is still to be done. */
const nextStep = sql<{ title: string; dueOn: string | null } | null>`(
  select json_build_object('title', title, 'dueOn', due_on) from project_steps
   where ${ofProject} and done_on is null order by position limit 1)`
const figure = (name: 'selfConsumption' | 'payback') =>
  sql<number | null>`(${projects.study} -> 'result' ->> ${sql.raw(`'${name}'`)})::float8`
const selfConsumption = figure('selfConsumption')
const payback = figure('payback')

const { study: _, ...columns } = getTableColumns(projects)
const figures = { peakWatts, yearlyKwh, candidates, nextStep, selfConsumption, payback }

/** The order of the life cycle, not of the alphabet. */
const stage = sql`array_position(array['prospect', 'study', 'agreement', 'running', 'abandoned'], ${projects.status})`
const SORTS = {
  name: sql`fold(${projects.name})`,
  status: stage,
  city: sql`fold(${projects.city})`,
  targetOn: projects.targetOn,
  createdAt: projects.createdAt,
  nextStep: sql`(${nextStep} ->> 'dueOn')`,
  peakWatts,
  yearlyKwh,
  candidates,
  selfConsumption,
  payback,
}

const read = (db: Db) => db.select({ ...columns, ...figures }).from(projects)
type Row = Awaited<ReturnType<typeof read>>[number]

/** Nothing is still to be done where nothing goes on. */
const isOver = ({ status }: Row) => status === 'running' || status === 'abandoned'

const toProject = (row: Row) =>
  ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    studiedAt: row.studiedAt?.toISOString() ?? null,
    nextStep:
      row.nextStep && !isOver(row)
        ? { ...row.nextStep, late: row.nextStep.dueOn !== null && row.nextStep.dueOn < today() }
        : null,
  }) as Project // texts hold what the contract let in

const filtered = (actor: Actor, { q, status, kind }: Query) =>
  and(
    projectScope(actor),
    status && eq(projects.status, status),
    kind && eq(projects.kind, kind),
    matches(q, [projects.name, projects.city, projects.address, projects.postalCode, projects.description]),
  )

const sorted = (db: Db, where: SQL | undefined, sort: string | undefined) =>
  read(db)
    .where(where)
    .orderBy(orderBy(sort, SORTS, 'name'), asc(projects.id))

/** The projects asked for in the order asked for, without pages. */
export const allProjects = async (db: Db, actor: Actor, query: Query): Promise<Project[]> =>
  (await sorted(db, filtered(actor, query), query.sort)).map(toProject)

export async function listProjects(db: Db, actor: Actor, query: Query) {
  const { limit, offset } = pageOf(query)
  const where = filtered(actor, query)
  const rows = await sorted(db, where, query.sort).limit(limit).offset(offset)
  const [all] = await db.select({ n: count() }).from(projects).where(where)
  return { items: rows.map(toProject), total: all?.n ?? 0 }
}

/** One project with its figures, as a list shows it. */
export async function readProject(db: Db, actor: Actor, id: string): Promise<Project | undefined> {
  const [row] = await read(db).where(and(projectScope(actor), eq(projects.id, id)))
  return row && toProject(row)
}
