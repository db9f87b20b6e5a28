import { analytics } from '@voisol/contract/analytics'
import type { FastifyInstance } from 'fastify'
import { readSnapshot } from '../../../db/client.ts'
import { addRoute } from '../../../http/route.ts'
import { listInvoicedByMonth, loadAnalyticsComparison, loadFinestChartSeries } from './energy-comparison.ts'
import { loadEnergyShape } from './energy-shape.ts'
import { listSavedViews, removeSavedView, saveView, updateSavedView } from './saved-views.ts'

export function analyticsRoutes(app: FastifyInstance) {
  addRoute(app, analytics.compare, ({ query }, { db, actor, config }) =>
    readSnapshot(db, (view) => loadAnalyticsComparison(view, actor, config, query)),
  )
  addRoute(app, analytics.chart, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => loadFinestChartSeries(view, actor, query)),
  )
  addRoute(app, analytics.shape, ({ query }, { db, actor, config }) =>
    readSnapshot(db, (view) => loadEnergyShape(view, actor, config, query)),
  )
  addRoute(app, analytics.money, async ({ query }, { db, actor, config }) => ({
    months: await readSnapshot(db, (view) => listInvoicedByMonth(view, actor, config, query)),
  }))
  addRoute(app, analytics.views, async (_, { db, actor }) => ({ items: await listSavedViews(db, actor) }))
  addRoute(app, analytics.saveView, async ({ body }, { db, actor, note }) => {
    const view = await saveView(db, actor, body)
    note({ companyId: actor.companyId, target: view.name, detail: { after: view } })
    return view
  })
  addRoute(app, analytics.updateView, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateSavedView(db, actor, params.id, body)
    note({ companyId: actor.companyId, target: after.name, detail: { before, after } })
    return after
  })
  addRoute(app, analytics.removeView, async ({ params }, { db, actor, note }) => {
    const before = await removeSavedView(db, actor, params.id)
    note({ companyId: actor.companyId, target: before.name, detail: { before } })
    return { success: true as const }
  })
}
