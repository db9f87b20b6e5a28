import { analytics } from '@voisol/contract/analytics'
import type { FastifyInstance } from 'fastify'
import { snapshot } from '../../../db/snapshot.ts'
import { route } from '../../../http/route.ts'
import { chartOf } from './chart.ts'
import { compare } from './compare.ts'
import { moneyOf } from './money.ts'
import { shapeOf } from './shape.ts'
import { listViews, removeView, saveView, updateView } from './views.ts'

export function analyticsRoutes(app: FastifyInstance) {
  route(app, analytics.compare, ({ query }, { db, actor, config }) =>
    snapshot(db, (view) => compare(view, actor, config, query)),
  )
  route(app, analytics.chart, ({ query }, { db, actor }) => snapshot(db, (view) => chartOf(view, actor, query)))
  route(app, analytics.shape, ({ query }, { db, actor, config }) =>
    snapshot(db, (view) => shapeOf(view, actor, config, query)),
  )
  route(app, analytics.money, async ({ query }, { db, actor, config }) => ({
    months: await snapshot(db, (view) => moneyOf(view, actor, config, query)),
  }))
  route(app, analytics.views, async (_, { db, actor }) => ({ items: await listViews(db, actor) }))
  route(app, analytics.saveView, async ({ body }, { db, actor, note }) => {
    const view = await saveView(db, actor, body)
    note({ companyId: actor.companyId, target: view.name, detail: { after: view } })
    return view
  })
  route(app, analytics.updateView, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateView(db, actor, params.id, body)
    note({ companyId: actor.companyId, target: after.name, detail: { before, after } })
    return after
  })
  route(app, analytics.removeView, async ({ params }, { db, actor, note }) => {
    const before = await removeView(db, actor, params.id)
    note({ companyId: actor.companyId, target: before.name, detail: { before } })
    return { success: true as const }
  })
}
