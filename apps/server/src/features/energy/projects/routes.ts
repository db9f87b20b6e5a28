import { type ProjectDetail, projects } from '@voisol/contract/projects'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { exportProjects } from './export.ts'
import { loadProject } from './find.ts'
import { studyProject } from './study.ts'
import { createOperationFromProject } from './to-operation.ts'
import { listAllProjects, listProjects } from './view.ts'
import { addProjectNote, changeProjectStatus, createProject, removeProject, updateProject } from './write.ts'

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
