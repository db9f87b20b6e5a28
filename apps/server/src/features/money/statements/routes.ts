import { statements } from '@voisol/contract/statements'
import type { FastifyInstance } from 'fastify'
import { brandOf } from '../../../core/brand.ts'
import { route } from '../../../http/route.ts'
import { statementPdf } from '../../../papers/statement-pdf.ts'
import { settleStatement } from './settle.ts'
import { getStatement, listStatements, yearOf } from './view.ts'

export function statementRoutes(app: FastifyInstance) {
  route(app, statements.list, ({ query }, { db, actor }) => listStatements(db, actor, query.month))
  route(app, statements.year, ({ params }, { db, actor }) => yearOf(db, actor, params.sellerId, params.year))
  route(app, statements.get, ({ params }, { db, actor }) => getStatement(db, actor, params.sellerId, params.month))

  route(app, statements.settle, async ({ params }, ctx) => {
    const { statement, already } = await settleStatement(ctx.db, ctx.secrets, ctx.actor, params.sellerId, params.month)
    ctx.note({ target: `Relevé de ${statement.seller}, ${params.month}`, detail: { already } })
    return statement
  })

  route(app, statements.pdf, async ({ params }, { db, actor }) => {
    const statement = await getStatement(db, actor, params.sellerId, params.month)
    return {
      name: `releve-${params.month}.pdf`,
      content: await statementPdf(statement, await brandOf(db, actor.companyId)),
    }
  })
}
