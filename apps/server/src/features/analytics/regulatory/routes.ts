import { REGULATORY_LABELS, regulatory } from '@voisol/contract/regulatory'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { createRegulatoryExport } from './create-export.ts'
import { loadDutyCalendar, markDuty, unmarkDuty } from './duty-calendar.ts'
import { listRegulatoryExports, loadExportFile, loadRegulatoryExport, recordExportSending } from './stored-exports.ts'

export function regulatoryRoutes(app: FastifyInstance) {
  addRoute(app, regulatory.list, ({ query }, ctx) =>
    listRegulatoryExports(ctx.db, app.deps, ctx.actor, query.operationId),
  )

  addRoute(app, regulatory.make, async ({ body }, { db, actor, note }) => {
    const { id, already, operation } = await createRegulatoryExport(db, app.deps, actor, body)
    const made = await loadRegulatoryExport(db, actor, id)
    note({
      target: `${REGULATORY_LABELS[made.kind].title}, version ${made.number}`,
      detail: { operation: operation.name, period: made.period, already },
    })
    return { ...made, already }
  })

  addRoute(app, regulatory.file, ({ params, query }, { db, actor }) =>
    loadExportFile(db, app.deps.files, actor, params.id, query.part),
  )

  addRoute(app, regulatory.send, async ({ params, body }, { db, actor, note }) => {
    const made = await recordExportSending(db, actor, params.id, body)
    note({ target: `${REGULATORY_LABELS[made.kind].title}, version ${made.number}`, detail: body })
    return made
  })

  addRoute(app, regulatory.duties, async ({ query }, { db, actor }) => ({
    items: await loadDutyCalendar(db, actor.companyId, query.year),
  }))

  addRoute(app, regulatory.mark, async ({ body }, { db, actor, note }) => {
    const duty = await markDuty(db, actor, body)
    note({ target: duty.label, detail: body })
    return duty
  })

  addRoute(app, regulatory.unmark, async ({ params }, { db, actor, note }) => {
    const { doneOn } = await unmarkDuty(db, actor, params.key)
    note({ target: params.key, detail: { doneOn } })
    return { success: true as const }
  })
}
