import { dataExports } from '@voisol/contract/exports'
import type { FastifyInstance } from 'fastify'
import { getRequestOrigin } from '../../../http/client-address.ts'
import { addRoute } from '../../../http/route.ts'
import { createExportPlan, listExportDestinations, listExportPlans, removeExportPlan } from './export-plans.ts'
import { type ExportRow, listExports, loadExport, loadExportView } from './export-queries.ts'
import {
  cancelExport,
  listAllowedDataSets,
  previewExport,
  removeExport,
  repeatExport,
  requestExport,
} from './request-export.ts'
import { createDownloadLink, downloadByLink, downloadExport } from './run-export.ts'

const SUCCESS = { success: true as const }
const toAuditNote = ({ id, name, dataSet, operationId }: ExportRow) => ({
  target: name,
  detail: { exportId: id, dataSet, ...(operationId && { operationId }) },
})

export function exportRoutes(app: FastifyInstance) {
  const { deps } = app
  addRoute(app, dataExports.sets, async (_, { db, actor }) => ({
    items: listAllowedDataSets(actor),
    connections: await listExportDestinations(db, actor),
  }))
  addRoute(app, dataExports.preview, ({ body }, { db, actor }) => previewExport(db, actor, body))
  addRoute(app, dataExports.list, ({ query }, { db, actor }) => listExports(db, actor, query))
  addRoute(app, dataExports.get, async ({ params }, { db, actor }) =>
    loadExportView(db, await loadExport(db, actor, params.id)),
  )

  addRoute(app, dataExports.create, async ({ body }, { db, actor, note }) => {
    const row = await requestExport(db, actor, body)
    note(toAuditNote(row))
    return loadExportView(db, row)
  })
  addRoute(app, dataExports.again, async ({ params }, { db, actor, note }) => {
    const row = await repeatExport(db, actor, params.id)
    note(toAuditNote(row))
    return loadExportView(db, row)
  })
  addRoute(app, dataExports.cancel, async ({ params }, { db, actor, note }) => {
    const row = await cancelExport(db, actor, params.id)
    note(toAuditNote(row))
    return loadExportView(db, row)
  })
  addRoute(app, dataExports.remove, async ({ params }, { db, actor, note }) => {
    note(toAuditNote(await removeExport(db, deps, actor, params.id)))
    return SUCCESS
  })

  addRoute(app, dataExports.file, ({ params }, { db, actor }) => downloadExport(db, deps, actor, params.id))
  addRoute(app, dataExports.link, async ({ params }, { db, actor, note, request }) => {
    const { row, ...link } = await createDownloadLink(
      db,
      deps,
      actor,
      params.id,
      getRequestOrigin(request, deps.config.PUBLIC_URL),
    )
    note(toAuditNote(row))
    return link
  })
  addRoute(app, dataExports.linked, ({ params }, { db }) => downloadByLink(db, deps, params.token))

  addRoute(app, dataExports.plans, async (_, { db, actor }) => ({ items: await listExportPlans(db, actor) }))
  addRoute(app, dataExports.plan, async ({ body }, { db, actor, note }) => {
    const plan = await createExportPlan(db, actor, body)
    note({ target: plan.name, detail: { after: plan } })
    return plan
  })
  addRoute(app, dataExports.unplan, async ({ params }, { db, actor, note }) => {
    const plan = await removeExportPlan(db, actor, params.id)
    note({ target: plan.name, detail: { before: plan } })
    return SUCCESS
  })
}
