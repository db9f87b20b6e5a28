import { type ProjectDetail, projects } from '@voisol/contract/projects'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { projectsFile } from './export.ts'
import { getProject } from './find.ts'
import { studyProject } from './study.ts'
import { operationOf } from './to-operation.ts'
import { allProjects, listProjects } from './view.ts'
import { addNote, createProject, moveProject, removeProject, updateProject } from './write.ts'

/** Follows from the rest: it would repeat in the audit log what is already said. */
const DERIVED = ['version', 'study', 'studyStale', 'findings', 'spread', 'transitions', 'nextStep', 'notes']

/** Keeps what changed for the audit log, field by field, and answers with the project as it is now. */
function changed({ note }: Context, { before, after }: { before: ProjectDetail; after: ProjectDetail }): ProjectDetail {
  const names = Object.keys(after) as (keyof ProjectDetail)[] // Object.keys forgets them
  const differing = names.filter(
    (name) => !DERIVED.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (of: ProjectDetail) => Object.fromEntries(differing.map((name) => [name, of[name]]))
  note({ target: after.name, detail: { projectId: after.id, before: pick(before), after: pick(after) } })
  return after
}

export function projectRoutes(app: FastifyInstance) {
  route(app, projects.list, ({ query }, { db, actor }) => listProjects(db, actor, query))
  route(app, projects.export, async ({ query }, { db, actor }) =>
    projectsFile(await allProjects(db, actor, query), query.format),
  )
  route(app, projects.get, ({ params }, { db, actor }) => getProject(db, actor, params.id))
  route(app, projects.create, async ({ body }, { db, actor, note }) => {
    const after = await createProject(db, actor, body)
    note({ target: after.name, detail: { projectId: after.id, after: body } })
    return after
  })
  route(app, projects.update, async ({ params, body }, ctx) =>
    changed(ctx, await updateProject(ctx.db, ctx.actor, params.id, body)),
  )
  route(app, projects.move, async ({ params, body }, ctx) =>
    changed(ctx, await moveProject(ctx.db, ctx.actor, params.id, body)),
  )
  route(app, projects.remove, async ({ params }, { db, actor, note }) => {
    const { id, name, status } = await removeProject(db, actor, params.id)
    note({ target: name, detail: { projectId: id, before: { name, status } } })
    return { success: true as const }
  })
  route(app, projects.study, async ({ params }, ctx) => {
    const { actor, note } = ctx
    const after = await studyProject(ctx, actor, params.id)
    const { produced, allocated, payback } = after.study ?? {}
    note({ target: after.name, detail: { projectId: after.id, after: { produced, allocated, payback } } })
    return after
  })
  route(app, projects.note, async ({ params, body }, { db, actor, note }) => {
    const after = await addNote(db, actor, params.id, body.text)
    note({ target: after.name, detail: { projectId: after.id, after: body } })
    return after
  })
  route(app, projects.createOperation, async ({ params, body }, { db, actor, note }) => {
    const { project, operation } = await operationOf(db, actor, params.id, body)
    note({ target: project.name, detail: { projectId: project.id, operationId: operation.id, after: operation } })
    return operation
  })
}
