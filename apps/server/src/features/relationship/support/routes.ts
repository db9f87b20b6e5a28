import { support } from '@voisol/contract/support'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { choicesFor } from './about.ts'
import { attachmentOf, detach, keepAttachment } from './attachments.ts'
import { deskRoutes } from './desk-routes.ts'
import { mineScope } from './scope.ts'
import { listMine, readMine } from './view.ts'
import { continueTicket, openTicket, rate, solveMine } from './write.ts'

/** The journal tells which one and how it stands, never what was written in it. */
function noted<T extends { number: number; state: string }>({ note }: Context, ticket: T): T {
  note({ target: `Demande n° ${ticket.number}`, detail: { state: ticket.state } })
  return ticket
}

export function supportRoutes(app: FastifyInstance) {
  route(app, support.list, ({ query }, { db, actor }) => listMine(db, actor, query))
  route(app, support.get, ({ params }, { db, actor }) => readMine(db, actor, params.id))
  route(app, support.choices, async (_, { db, actor }) => ({ items: await choicesFor(db, actor) }))
  route(app, support.create, async ({ body }, ctx) => noted(ctx, await openTicket(ctx.db, ctx.actor, body)))
  route(app, support.reply, async ({ params, body }, ctx) =>
    noted(ctx, await continueTicket(ctx.db, ctx.actor, params.id, body)),
  )
  route(app, support.solve, async ({ params }, ctx) => noted(ctx, await solveMine(ctx.db, ctx.actor, params.id)))
  route(app, support.rate, async ({ params, body }, ctx) => noted(ctx, await rate(ctx.db, ctx.actor, params.id, body)))
  route(app, support.attach, ({ query, upload }, { db, files, actor, note }) => {
    note({ target: query.name, detail: { size: upload.byteLength } })
    const { companyId, userId } = actor
    return keepAttachment(db, files, { companyId, userId, name: query.name, content: upload })
  })
  route(app, support.detach, async ({ params }, { db, actor }) => {
    await detach(db, actor, params.id)
    return { success: true as const }
  })
  route(app, support.file, ({ params }, { db, files, actor }) =>
    attachmentOf(db, files, mineScope(actor), params.id, false),
  )
  deskRoutes(app)
}
