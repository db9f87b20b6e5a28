import { DECLARATION_WORDS, declarations } from '@voisol/contract/declarations'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { findEntity } from '../books/books.ts'
import { archiveOf, fileOf, listDeclarations, makeDeclaration, makeYears } from './declarations.ts'
import { acciseOf, reportOf, vatOf } from './summaries.ts'

export function declarationRoutes(app: FastifyInstance) {
  route(app, declarations.list, async ({ query }, { db, actor }) => ({
    items: await listDeclarations(db, actor, query),
  }))
  route(app, declarations.vat, async ({ query }, { db, actor }) =>
    vatOf(db, await findEntity(db, actor.companyId, query.sellerId), query.year),
  )
  route(app, declarations.accise, async ({ query }, { db, actor }) =>
    acciseOf(db, await findEntity(db, actor.companyId, query.sellerId), query.year),
  )
  route(app, declarations.eReporting, async ({ query }, { db, actor }) => ({
    items: await reportOf(db, await findEntity(db, actor.companyId, query.sellerId), query.year),
  }))
  route(app, declarations.make, async ({ body }, ctx) => {
    const done = await makeDeclaration(ctx.db, ctx, ctx.actor, body)
    const { whose, number, sha256 } = done.item
    ctx.note({ target: `${DECLARATION_WORDS[body.kind]}, ${whose}`, detail: { number, sha256, already: done.already } })
    return done
  })
  route(app, declarations.makeYears, async ({ body }, ctx) => {
    const done = await makeYears(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: `${DECLARATION_WORDS[body.kind]}, ${body.year}`, detail: done })
    return done
  })
  route(app, declarations.archive, ({ query }, ctx) => archiveOf(ctx, ctx.actor, query))
  route(app, declarations.file, ({ params }, ctx) => fileOf(ctx, ctx.db, ctx.actor, params.id))
}
