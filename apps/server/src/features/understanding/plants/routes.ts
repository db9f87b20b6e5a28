import { plants } from '@voisol/contract/plants'
import type { FastifyInstance } from 'fastify'
import { snapshot } from '../../../db/snapshot.ts'
import { route } from '../../../http/route.ts'
import { addAmount, removeAmount, updateAmount } from './amounts.ts'
import { economiesOf } from './economies.ts'

export function plantRoutes(app: FastifyInstance) {
  route(app, plants.economies, async ({ query }, { db, actor }) => ({
    items: await snapshot(db, (view) => economiesOf(view, actor, query)),
  }))
  route(app, plants.addAmount, async ({ params, body }, { db, actor, note }) => {
    const after = await addAmount(db, actor, params.pointId, body)
    note({ companyId: actor.companyId, target: after.pointId, detail: { after } })
    return after
  })
  route(app, plants.updateAmount, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateAmount(db, actor, params.id, body)
    note({ companyId: actor.companyId, target: after.pointId, detail: { before, after } })
    return after
  })
  route(app, plants.removeAmount, async ({ params }, { db, actor, note }) => {
    const before = await removeAmount(db, actor, params.id)
    note({ companyId: actor.companyId, target: before.pointId, detail: { before } })
    return { success: true as const }
  })
}
