import { erasure } from '@voisol/contract/erasure'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { loadErasureFactsById, requestErasure } from './erasure.ts'

export function erasureRoutes(app: FastifyInstance) {
  addRoute(app, erasure.look, ({ params }, { db, actor }) => loadErasureFactsById(db, actor, params.id))
  addRoute(app, erasure.ask, async ({ params, body }, { db, actor, note }) => {
    const facts = await requestErasure(db, actor, params.id, body.version)
    // The audit log contains only the number of the erased person.
    note({ target: params.id, detail: { erasedOn: facts.erasedOn, askedOn: facts.askedOn } })
    return facts
  })
}
