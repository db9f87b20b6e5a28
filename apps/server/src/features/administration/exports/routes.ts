import { dataExports } from '@voisol/contract/exports'
import type { FastifyInstance } from 'fastify'
import { originOf } from '../../../http/origin.ts'
import { route } from '../../../http/route.ts'
import { askAgain, askFor, cancel, preview, remove, setsFor } from './ask.ts'
import { download, linked, linkTo } from './content.ts'
import { destinations, listPlans, makePlan, removePlan } from './plans.ts'
import { findExport, listExports, type Row, showOne } from './view.ts'

const DONE = { success: true as const }
const told = ({ id, name, dataSet, operationId }: Row) => ({
  target: name,
  detail: { exportId: id, dataSet, ...(operationId && { operationId }) },
})

export function exportRoutes(app: FastifyInstance) {
  const { deps } = app
  route(app, dataExports.sets, async (_, { db, actor }) => ({
    items: setsFor(actor),
    connections: await destinations(db, actor),
  }))
  route(app, dataExports.preview, ({ body }, { db, actor }) => preview(db, actor, body))
  route(app, dataExports.list, ({ query }, { db, actor }) => listExports(db, actor, query))
  route(app, dataExports.get, async ({ params }, { db, actor }) => showOne(db, await findExport(db, actor, params.id)))

  route(app, dataExports.create, async ({ body }, { db, actor, note }) => {
    const row = await askFor(db, actor, body)
    note(told(row))
    return showOne(db, row)
  })
  route(app, dataExports.again, async ({ params }, { db, actor, note }) => {
    const row = await askAgain(db, actor, params.id)
    note(told(row))
    return showOne(db, row)
  })
  route(app, dataExports.cancel, async ({ params }, { db, actor, note }) => {
    const row = await cancel(db, actor, params.id)
    note(told(row))
    return showOne(db, row)
  })
  route(app, dataExports.remove, async ({ params }, { db, actor, note }) => {
    note(told(await remove(db, deps, actor, params.id)))
    return DONE
  })

  route(app, dataExports.file, ({ params }, { db, actor }) => download(db, deps, actor, params.id))
  route(app, dataExports.link, async ({ params }, { db, actor, note, request }) => {
    const { row, ...link } = await linkTo(db, deps, actor, params.id, originOf(request, deps.config.PUBLIC_URL))
    note(told(row))
    return link
  })
  route(app, dataExports.linked, ({ params }, { db }) => linked(db, deps, params.token))

  route(app, dataExports.plans, async (_, { db, actor }) => ({ items: await listPlans(db, actor) }))
  route(app, dataExports.plan, async ({ body }, { db, actor, note }) => {
    const plan = await makePlan(db, actor, body)
    note({ target: plan.name, detail: { after: plan } })
    return plan
  })
  route(app, dataExports.unplan, async ({ params }, { db, actor, note }) => {
    const plan = await removePlan(db, actor, params.id)
    note({ target: plan.name, detail: { before: plan } })
    return DONE
  })
}
