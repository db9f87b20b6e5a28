import { communes } from '@voisol/contract/communes'
import type { FastifyInstance } from 'fastify'
import { searchCommunes } from '../../../core/communes.ts'
import { addRoute } from '../../../http/route.ts'

export function communeRoutes(app: FastifyInstance) {
  addRoute(app, communes.search, async ({ query }) => ({ items: searchCommunes(query.q) }))
}
