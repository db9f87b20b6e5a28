import { why } from '@voisol/contract/why'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { whyOf } from './why.ts'

export function whyRoutes(app: FastifyInstance) {
  route(app, why.get, ({ params, query }, { db, actor, config }) =>
    whyOf(db, actor, config, { ...query, participantId: params.id }),
  )
}
