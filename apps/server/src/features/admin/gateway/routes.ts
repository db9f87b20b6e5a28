import { gateway } from '@voisol/contract/gateway'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { listLastCalls, loadGatewayOverview, loadInstallationCalls } from './gateway.ts'
import { loadGatewayLimits, saveGatewayLimits } from './limits.ts'

export function gatewayRoutes(app: FastifyInstance) {
  addRoute(app, gateway.overview, ({ query }, { db, actor }) => loadGatewayOverview(db, actor, query))
  addRoute(app, gateway.calls, ({ params }, { db, actor }) => listLastCalls(db, actor, params.id))
  addRoute(app, gateway.limits, (_, { db, actor }) => loadGatewayLimits(db, actor))
  addRoute(app, gateway.setLimits, async ({ body }, { db, actor, note }) => {
    const { before, after } = await saveGatewayLimits(db, actor, body)
    note({ target: 'Limites de l’organisation', detail: { before, after } })
    return after
  })
  addRoute(app, gateway.installation, ({ query }, { db }) => loadInstallationCalls(db, query.period))
}
