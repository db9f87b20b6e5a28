import { type Project, type ProjectDetail, projects } from '@voisol/contract/projects'
import { PERIMETER_RULES } from '@voisol/energy/perimeter'
import { formatFrenchDay } from '@voisol/file-formats/french'
import type { FastifyInstance } from 'fastify'
import { buildTableFile } from '../../../files/table-file.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { createOperationFromProject } from './create-operation-from-project.ts'
import { addProjectNote, changeProjectStatus, createProject, removeProject, updateProject } from './edit-project.ts'
import { listAllProjects, listProjects, loadProject } from './project-queries.ts'
import { PROJECT_KIND_LABELS, PROJECT_STATUS_LABELS } from './project-status.ts'
import { studyProject } from './study-project.ts'

/** Derived from the other fields, so they would repeat them in the audit log. */
const DERIVED_FIELDS = ['version', 'study', 'studyStale', 'findings', 'spread', 'transitions', 'nextStep', 'notes']

/** Records the changed fields in the audit log, and returns the project as it is now. */
function recordProjectChange(
  { note }: RouteContext,
  { before, after }: { before: ProjectDetail; after: ProjectDetail },
): ProjectDetail {
  const names = Object.keys(after) as (keyof ProjectDetail)[] // Object.keys loses their type
  const differing = names.filter(
    (name) => !DERIVED_FIELDS.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (of: ProjectDetail) => Object.fromEntries(differing.map((name) => [name, of[name]]))
  note({ target: after.name, detail: { projectId: after.id, before: pick(before), after: pick(after) } })
  return after
}

export function projectRoutes(app: FastifyInstance) {
  addRoute(app, projects.list, ({ query }, { db, actor }) => listProjects(db, actor, query))
  addRoute(app, projects.export, async ({ query }, { db, actor }) =>
    exportProjects(await listAllProjects(db, actor, query), query.format),
  )
  addRoute(app, projects.get, ({ params }, { db, actor }) => loadProject(db, actor, params.id))
  addRoute(app, projects.create, async ({ body }, { db, actor, note }) => {
    const after = await createProject(db, actor, body)
    note({ target: after.name, detail: { projectId: after.id, after: body } })
    return after
  })
  addRoute(app, projects.update, async ({ params, body }, ctx) =>
    recordProjectChange(ctx, await updateProject(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, projects.move, async ({ params, body }, ctx) =>
    recordProjectChange(ctx, await changeProjectStatus(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, projects.remove, async ({ params }, { db, actor, note }) => {
    const { id, name, status } = await removeProject(db, actor, params.id)
    note({ target: name, detail: { projectId: id, before: { name, status } } })
    return { success: true as const }
  })
  addRoute(app, projects.study, async ({ params }, ctx) => {
    const { actor, note } = ctx
    const after = await studyProject(ctx, actor, params.id)
    const { produced, allocated, payback } = after.study ?? {}
    note({ target: after.name, detail: { projectId: after.id, after: { produced, allocated, payback } } })
    return after
  })
  addRoute(app, projects.note, async ({ params, body }, { db, actor, note }) => {
    const after = await addProjectNote(db, actor, params.id, body.text)
    note({ target: after.name, detail: { projectId: after.id, after: body } })
    return after
  })
  addRoute(app, projects.createOperation, async ({ params, body }, { db, actor, note }) => {
    const { project, operation } = await createOperationFromProject(db, actor, params.id, body)
    note({ target: project.name, detail: { projectId: project.id, operationId: operation.id, after: operation } })
    return operation
  })
}

const formatDayCell = (day: string | null | undefined) => (day ? formatFrenchDay(day) : '')

type ProjectColumn = [header: string, cell: (project: Project) => string | number | null]
const PROJECT_COLUMNS: ProjectColumn[] = [
  ['Nom', (p) => p.name],
  ['État', (p) => PROJECT_STATUS_LABELS[p.status]],
  ['Type', (p) => PROJECT_KIND_LABELS[p.kind]],
  ['Adresse', (p) => p.address],
  ['Code postal', (p) => p.postalCode],
  ['Ville', (p) => p.city],
  ['Périmètre', (p) => PERIMETER_RULES[p.perimeter].label],
  ['Puissance (kWc)', (p) => p.peakWatts / 1000],
  ['Candidats', (p) => p.candidates],
  ['Consommation annuelle (kWh)', (p) => p.yearlyKwh],
  ['Autoconsommation (%)', (p) => (p.selfConsumption === null ? null : Math.round(p.selfConsumption * 1000) / 10)],
  ['Temps de retour (années)', (p) => p.payback],
  ['Prochaine étape', (p) => p.nextStep?.title ?? ''],
  ['Échéance', (p) => formatDayCell(p.nextStep?.dueOn)],
  ['Mise en service visée', (p) => formatDayCell(p.targetOn)],
  ['Créé le', (p) => formatDayCell(p.createdAt.slice(0, 10))],
]

const exportProjects = (projects: Project[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'projets',
    format,
    PROJECT_COLUMNS.map(([header]) => header),
    projects.map((project) => PROJECT_COLUMNS.map(([, cell]) => cell(project))),
  )
