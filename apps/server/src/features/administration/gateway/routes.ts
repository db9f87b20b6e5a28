import { gateway } from '@voisol/contract/gateway'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { lastCalls, readGateway, readInstallation } from './gateway.ts'
import { readLimits, setLimits } from './limits.ts'

export function gatewayRoutes(app: FastifyInstance) {
  route(app, gateway.overview, ({ query }, { db, actor }) => readGateway(db, actor, query))
  route(app, gateway.calls, ({ params }, { db, actor }) => lastCalls(db, actor, params.id))
  route(app, gateway.limits, (_, { db, actor }) => readLimits(db, actor))
  route(app, gateway.setLimits, async ({ body }, { db, actor, note }) => {
    const { before, after } = await setLimits(db, actor, body)
    note({ target: 'Limites de l’organisation', detail: { before, after } })
    return after
  })
  route(app, gateway.installation, ({ query }, { db }) => readInstallation(db, query.period))
}
