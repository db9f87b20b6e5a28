import { DECLARATION_LABELS, declarations } from '@voisol/contract/declarations'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { loadEntity } from '../books/index.ts'
import { loadAcciseSummary, loadEReportingRows, loadVatSummary } from './declaration-files.ts'
import {
  buildStatementsArchive,
  listDeclarations,
  loadDeclarationFile,
  makeDeclaration,
  makeYearlyStatements,
} from './declarations.ts'

export function registerDeclarationRoutes(app: FastifyInstance) {
  addRoute(app, declarations.list, async ({ query }, { db, actor }) => ({
    items: await listDeclarations(db, actor, query),
  }))
  addRoute(app, declarations.vat, async ({ query }, { db, actor }) =>
    loadVatSummary(db, await loadEntity(db, actor.companyId, query.sellerId), query.year),
  )
  addRoute(app, declarations.accise, async ({ query }, { db, actor }) =>
    loadAcciseSummary(db, await loadEntity(db, actor.companyId, query.sellerId), query.year),
  )
  addRoute(app, declarations.eReporting, async ({ query }, { db, actor }) => ({
    items: await loadEReportingRows(db, await loadEntity(db, actor.companyId, query.sellerId), query.year),
  }))
  addRoute(app, declarations.make, async ({ body }, ctx) => {
    const done = await makeDeclaration(ctx.db, ctx, ctx.actor, body)
    const { whose, number, sha256 } = done.item
    ctx.note({
      target: `${DECLARATION_LABELS[body.kind]}, ${whose}`,
      detail: { number, sha256, already: done.already },
    })
    return done
  })
  addRoute(app, declarations.makeYears, async ({ body }, ctx) => {
    const done = await makeYearlyStatements(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: `${DECLARATION_LABELS[body.kind]}, ${body.year}`, detail: done })
    return done
  })
  addRoute(app, declarations.archive, ({ query }, ctx) => buildStatementsArchive(ctx, ctx.actor, query))
  addRoute(app, declarations.file, ({ params }, ctx) => loadDeclarationFile(ctx, ctx.db, ctx.actor, params.id))
}
