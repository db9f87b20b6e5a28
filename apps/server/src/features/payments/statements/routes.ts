import { statements } from '@voisol/contract/statements'
import { buildStatementPdf } from '@voisol/documents/statement-pdf'
import type { FastifyInstance } from 'fastify'
import { loadBrand } from '../../../core/brand.ts'
import { addRoute } from '../../../http/route.ts'
import { listProducerStatements, loadStatement, loadStatementYear } from './producer-statement.ts'
import { settleStatement } from './settle-statement.ts'

export function registerStatementRoutes(app: FastifyInstance) {
  addRoute(app, statements.list, ({ query }, { db, actor }) => listProducerStatements(db, actor, query.month))
  addRoute(app, statements.year, ({ params }, { db, actor }) =>
    loadStatementYear(db, actor, params.sellerId, params.year),
  )
  addRoute(app, statements.get, ({ params }, { db, actor }) => loadStatement(db, actor, params.sellerId, params.month))

  addRoute(app, statements.settle, async ({ params }, ctx) => {
    const { statement, already } = await settleStatement(ctx.db, ctx.secrets, ctx.actor, params.sellerId, params.month)
    ctx.note({ target: `Relevé de ${statement.seller}, ${params.month}`, detail: { already } })
    return statement
  })

  addRoute(app, statements.pdf, async ({ params }, { db, actor }) => {
    const statement = await loadStatement(db, actor, params.sellerId, params.month)
    return {
      name: `releve-${params.month}.pdf`,
      content: await buildStatementPdf(statement, await loadBrand(db, actor.companyId)),
    }
  })
}
