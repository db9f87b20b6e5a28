import { type LotSpread, lots } from '@voisol/contract/lots'
import type { FastifyInstance } from 'fastify'
import { loadBrand } from '../../../core/brand.ts'
import { addRoute } from '../../../http/route.ts'
import { loadLotCharges } from './charges.ts'
import { buildLotChargesFile } from './file.ts'
import { listLotSpreads, loadLotSpread, saveLotSpread } from './spread.ts'

/** Names in lots are personal data: the audit log keeps only how the charge is spread. */
const toAuditDetail = ({ by, lots: own, shares }: LotSpread) => ({ by, lots: own.length, shares })

export function registerLotRoutes(app: FastifyInstance) {
  addRoute(app, lots.list, async (_, { db, actor }) => ({
    items: (await listLotSpreads(db, actor)).map(({ lots: own, ...spread }) => ({ ...spread, lots: own.length })),
  }))
  addRoute(app, lots.get, ({ params }, { db, actor }) => loadLotSpread(db, actor, params.id))
  addRoute(app, lots.save, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await saveLotSpread(db, actor, params.id, body)
    note({ target: after.buyer.name, detail: { before: toAuditDetail(before), after: toAuditDetail(after) } })
    return after
  })
  addRoute(app, lots.charges, ({ params, query }, { db, actor }) => loadLotCharges(db, actor, params.id, query))
  addRoute(app, lots.file, async ({ params, query }, { db, actor }) =>
    buildLotChargesFile(await loadLotCharges(db, actor, params.id, query), query.format, () =>
      loadBrand(db, actor.companyId),
    ),
  )
}
