import { why } from '@voisol/contract/why'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { explainMemberMonth } from './explanations.ts'

export function explanationRoutes(app: FastifyInstance) {
  addRoute(app, why.get, ({ params, query }, { db, actor, config }) =>
    explainMemberMonth(db, actor, config, { ...query, participantId: params.id }),
  )
}
