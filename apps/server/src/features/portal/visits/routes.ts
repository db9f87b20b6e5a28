import { visits } from '@voisol/contract/visits'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { beginVisit, loadChangesSinceLastVisit } from './visits.ts'

export function visitRoutes(app: FastifyInstance) {
  addRoute(app, visits.changes, (_, { db, actor }) => loadChangesSinceLastVisit(db, actor))
  addRoute(app, visits.begin, async (_, { db, actor, note }) => {
    await beginVisit(db, actor)
    note({ target: actor.email })
    return { success: true as const }
  })
}
