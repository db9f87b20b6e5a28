import { visits } from '@voisol/contract/visits'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { beginVisit, changesFor } from './visits.ts'

export function visitRoutes(app: FastifyInstance) {
  route(app, visits.changes, (_, { db, actor }) => changesFor(db, actor))
  route(app, visits.begin, async (_, { db, actor, note }) => {
    await beginVisit(db, actor)
    note({ target: actor.email })
    return { success: true as const }
  })
}
