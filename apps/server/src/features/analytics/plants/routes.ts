import { plants } from '@voisol/contract/plants'
import type { FastifyInstance } from 'fastify'
import { readSnapshot } from '../../../db/client.ts'
import { addRoute } from '../../../http/route.ts'
import { addPlantAmount, removePlantAmount, updatePlantAmount } from './plant-amounts.ts'
import { listPlantEconomies } from './plant-economies.ts'

export function plantRoutes(app: FastifyInstance) {
  addRoute(app, plants.economies, async ({ query }, { db, actor }) => ({
    items: await readSnapshot(db, (view) => listPlantEconomies(view, actor, query)),
  }))
  addRoute(app, plants.addAmount, async ({ params, body }, { db, actor, note }) => {
    const after = await addPlantAmount(db, actor, params.pointId, body)
    note({ companyId: actor.companyId, target: after.pointId, detail: { after } })
    return after
  })
  addRoute(app, plants.updateAmount, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updatePlantAmount(db, actor, params.id, body)
    note({ companyId: actor.companyId, target: after.pointId, detail: { before, after } })
    return after
  })
  addRoute(app, plants.removeAmount, async ({ params }, { db, actor, note }) => {
    const before = await removePlantAmount(db, actor, params.id)
    note({ companyId: actor.companyId, target: before.pointId, detail: { before } })
    return { success: true as const }
  })
}
