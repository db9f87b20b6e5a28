import { reports } from '@voisol/contract/reports'
import type { FastifyInstance } from 'fastify'
import { snapshot } from '../../../db/snapshot.ts'
import { oneClick } from '../../../http/one-click.ts'
import { route } from '../../../http/route.ts'
import { leaveReport } from './leave.ts'
import { makeReport, previewReport } from './make.ts'
import { readersOf } from './people.ts'
import { createSchedule, listSchedules, removeSchedule, updateSchedule } from './schedules.ts'
import { listSubjects } from './subject.ts'
import { createTemplate, listTemplates, removeTemplate, updateTemplate } from './templates.ts'
import { fileOf, getReport, listReports } from './view.ts'

export function reportRoutes(app: FastifyInstance) {
  oneClick(app, {
    path: '/api/reports/unsubscribe/:key',
    leave: (tx, key) => leaveReport(tx, app.deps.secrets, key),
    said: 'Vous ne recevrez plus ce rapport.',
    asks: 'Ce rapport est envoyé à intervalles réguliers par l’organisation qui l’a programmé. Elle peut vous y inscrire de nouveau à votre demande.',
  })
  route(app, reports.templates, async (_, { db, actor }) => ({ items: await listTemplates(db, actor) }))
  route(app, reports.createTemplate, async ({ body }, { db, actor, note }) => {
    const template = await createTemplate(db, actor, body)
    note({ target: template.name, detail: { preset: template.preset } })
    return template
  })
  route(app, reports.updateTemplate, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateTemplate(db, actor, params.id, body)
    note({ target: after.name, detail: { before, after } })
    return after
  })
  route(app, reports.removeTemplate, async ({ params }, { db, actor, note }) => {
    const before = await removeTemplate(db, actor, params.id)
    note({ target: before.name, detail: { before } })
    return { success: true as const }
  })

  route(app, reports.subjects, async ({ query }, { db, actor }) => ({
    items: await listSubjects(db, actor, query.kind),
  }))
  // All its figures are of one moment.
  route(app, reports.preview, ({ query }, { db, actor }) =>
    snapshot(db, (view) => previewReport(view, app.deps, actor, query)),
  )
  route(app, reports.list, ({ query }, { db, actor }) => listReports(db, actor, query))
  route(app, reports.make, async ({ body }, { db, actor, note }) => {
    const { id } = await makeReport(db, app.deps, actor, body)
    const { content: _, ...made } = await getReport(db, actor, id)
    note({ target: `${made.title}, ${made.subjectName}`, detail: { period: made.period, number: made.number } })
    return made
  })
  route(app, reports.get, ({ params }, { db, actor }) => getReport(db, actor, params.id))
  route(app, reports.file, ({ params }, { db, actor }) => fileOf(db, app.deps.files, actor, params.id))

  route(app, reports.people, async (_, { db, actor }) => ({ items: await readersOf(db, actor.companyId) }))
  route(app, reports.schedules, async (_, { db, actor }) => ({ items: await listSchedules(db, actor) }))
  route(app, reports.createSchedule, async ({ body }, { db, actor, note }) => {
    const schedule = await createSchedule(db, actor, body)
    note({ target: `${schedule.templateName}, ${schedule.subjectName}`, detail: { after: body } })
    return schedule
  })
  route(app, reports.updateSchedule, async ({ params, body }, { db, actor, note }) => {
    const schedule = await updateSchedule(db, actor, params.id, body)
    note({ target: `${schedule.templateName}, ${schedule.subjectName}`, detail: { after: body } })
    return schedule
  })
  route(app, reports.removeSchedule, async ({ params }, { db, actor, note }) => {
    const schedule = await removeSchedule(db, actor, params.id)
    note({ target: `${schedule.templateName}, ${schedule.subjectName}` })
    return { success: true as const }
  })
}
