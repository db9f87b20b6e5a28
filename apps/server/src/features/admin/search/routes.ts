import { search } from '@voisol/contract/search'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { searchEverything } from './search.ts'

export function searchRoutes(app: FastifyInstance) {
  addRoute(app, search.find, async ({ query }, { db, actor }) => ({
    items: await searchEverything(db, actor, query.q),
  }))
}
