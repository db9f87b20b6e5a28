import { reconciliation } from '@voisol/contract/reconciliation'
import type { FastifyInstance } from 'fastify'
import { findOperation } from '../../../core/operation.ts'
import { route } from '../../../http/route.ts'
import { differencesFile } from './export.ts'
import { reconciledMonths } from './months.ts'
import { differenceRows } from './rows.ts'

export function reconciliationRoutes(app: FastifyInstance) {
  route(app, reconciliation.months, async ({ params }, { db, actor }) => {
    const { id } = await findOperation(db, actor, params.id)
    return reconciledMonths(db, actor.companyId, id)
  })
  route(app, reconciliation.rows, async ({ params, query }, { db, actor }) => {
    const { id } = await findOperation(db, actor, params.id)
    return { items: await differenceRows(db, actor, id, query) }
  })
  route(app, reconciliation.export, async ({ params, query }, { db, actor }) => {
    const { id } = await findOperation(db, actor, params.id)
    return differencesFile(await differenceRows(db, actor, id, query), query, query.format)
  })
}
