import { reports } from '@voisol/contract/reports'
import type { FastifyInstance } from 'fastify'
import { readSnapshot } from '../../../db/client.ts'
import { registerOneClickRoute } from '../../../http/one-click.ts'
import { addRoute } from '../../../http/route.ts'
import { issueReport, previewReport } from './issue-report.ts'
import { unsubscribeFromReport } from './report-mail.ts'
import { listReports, loadReport, loadReportFile } from './report-queries.ts'
import { createSchedule, listReportReaders, listSchedules, removeSchedule, updateSchedule } from './report-schedules.ts'
import {
  createReportTemplate,
  listReportTemplates,
  removeReportTemplate,
  updateReportTemplate,
} from './report-templates.ts'
import { listReportSubjects } from './subject-and-period.ts'

export function reportRoutes(app: FastifyInstance) {
  registerOneClickRoute(app, {
    path: '/api/reports/unsubscribe/:key',
    leave: (tx, key) => unsubscribeFromReport(tx, app.deps.secrets, key),
    said: 'Vous ne recevrez plus ce rapport.',
    asks: 'Ce rapport est envoyé à intervalles réguliers par l’organisation qui l’a programmé. Elle peut vous y inscrire de nouveau à votre demande.',
  })
  addRoute(app, reports.templates, async (_, { db, actor }) => ({ items: await listReportTemplates(db, actor) }))
  addRoute(app, reports.createTemplate, async ({ body }, { db, actor, note }) => {
    const template = await createReportTemplate(db, actor, body)
    note({ target: template.name, detail: { preset: template.preset } })
    return template
  })
  addRoute(app, reports.updateTemplate, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateReportTemplate(db, actor, params.id, body)
    note({ target: after.name, detail: { before, after } })
    return after
  })
  addRoute(app, reports.removeTemplate, async ({ params }, { db, actor, note }) => {
    const before = await removeReportTemplate(db, actor, params.id)
    note({ target: before.name, detail: { before } })
    return { success: true as const }
  })

  addRoute(app, reports.subjects, async ({ query }, { db, actor }) => ({
    items: await listReportSubjects(db, actor, query.kind),
  }))
  // Reads all figures from one database snapshot.
  addRoute(app, reports.preview, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => previewReport(view, app.deps, actor, query)),
  )
  addRoute(app, reports.list, ({ query }, { db, actor }) => listReports(db, actor, query))
  addRoute(app, reports.make, async ({ body }, { db, actor, note }) => {
    const { id } = await issueReport(db, app.deps, actor, body)
    const { content: _, ...made } = await loadReport(db, actor, id)
    note({ target: `${made.title}, ${made.subjectName}`, detail: { period: made.period, number: made.number } })
    return made
  })
  addRoute(app, reports.get, ({ params }, { db, actor }) => loadReport(db, actor, params.id))
  addRoute(app, reports.file, ({ params }, { db, actor }) => loadReportFile(db, app.deps.files, actor, params.id))

  addRoute(app, reports.people, async (_, { db, actor }) => ({ items: await listReportReaders(db, actor.companyId) }))
  addRoute(app, reports.schedules, async (_, { db, actor }) => ({ items: await listSchedules(db, actor) }))
  addRoute(app, reports.createSchedule, async ({ body }, { db, actor, note }) => {
    const schedule = await createSchedule(db, actor, body)
    note({ target: `${schedule.templateName}, ${schedule.subjectName}`, detail: { after: body } })
    return schedule
  })
  addRoute(app, reports.updateSchedule, async ({ params, body }, { db, actor, note }) => {
    const schedule = await updateSchedule(db, actor, params.id, body)
    note({ target: `${schedule.templateName}, ${schedule.subjectName}`, detail: { after: body } })
    return schedule
  })
  addRoute(app, reports.removeSchedule, async ({ params }, { db, actor, note }) => {
    const schedule = await removeSchedule(db, actor, params.id)
    note({ target: `${schedule.templateName}, ${schedule.subjectName}` })
    return { success: true as const }
  })
}
