import { erasure } from '@voisol/contract/erasure'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { askErasure, lookAt } from './erasure.ts'

export function erasureRoutes(app: FastifyInstance) {
  route(app, erasure.look, ({ params }, { db, actor }) => lookAt(db, actor, params.id))
  route(app, erasure.ask, async ({ params, body }, { db, actor, note }) => {
    const facts = await askErasure(db, actor, params.id, body.version)
    // The journal names who is erased by their number alone.
    note({ target: params.id, detail: { erasedOn: facts.erasedOn, askedOn: facts.askedOn } })
    return facts
  })
}
