import { closure } from '@voisol/contract/closure'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { requireOwnPassword } from '../../identity/auth/index.ts'
import { closeAccount, loadClosureFacts } from './closure.ts'

export function closureRoutes(app: FastifyInstance) {
  addRoute(app, closure.look, (_, { db, actor }) => loadClosureFacts(db, actor))
  addRoute(app, closure.close, async ({ body }, ctx) => {
    const { db, aside, actor, note } = ctx
    await requireOwnPassword(db, aside, actor, body.password, 'password')
    const facts = await closeAccount(db, ctx, actor, body.erase)
    note({ target: actor.email, detail: facts })
    return { success: true as const }
  })
}
