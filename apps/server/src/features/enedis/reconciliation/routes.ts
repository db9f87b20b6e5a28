import { reconciliation } from '@voisol/contract/reconciliation'
import type { FastifyInstance } from 'fastify'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { addRoute } from '../../../http/route.ts'
import { buildDifferencesFile, listDifferences } from './list-differences.ts'
import { listReconciledMonths } from './month-verdict.ts'

export function reconciliationRoutes(app: FastifyInstance) {
  addRoute(app, reconciliation.months, async ({ params }, { db, actor }) => {
    const { id } = await requireVisibleOperation(db, actor, params.id)
    return listReconciledMonths(db, actor.companyId, id)
  })
  addRoute(app, reconciliation.rows, async ({ params, query }, { db, actor }) => {
    const { id } = await requireVisibleOperation(db, actor, params.id)
    return { items: await listDifferences(db, actor, id, query) }
  })
  addRoute(app, reconciliation.export, async ({ params, query }, { db, actor }) => {
    const { id } = await requireVisibleOperation(db, actor, params.id)
    return buildDifferencesFile(await listDifferences(db, actor, id, query), query, query.format)
  })
}
