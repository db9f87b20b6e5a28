import { support } from '@voisol/contract/support'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { deskRoutes } from './agent-routes.ts'
import { loadAttachment, removeUnsentAttachment, storeAttachment } from './attachments.ts'
import { continueTicket, listTicketSubjects, openTicket, rateTicket, solveOwnTicket } from './open-ticket.ts'
import { listOwnTickets, loadOwnTicket, ownTicketScope } from './ticket-queries.ts'

/** The journal tells which one and how it stands, never what was written in it. */
function noteTicket<T extends { number: number; state: string }>({ note }: RouteContext, ticket: T): T {
  note({ target: `Demande n° ${ticket.number}`, detail: { state: ticket.state } })
  return ticket
}

export function supportRoutes(app: FastifyInstance) {
  addRoute(app, support.list, ({ query }, { db, actor }) => listOwnTickets(db, actor, query))
  addRoute(app, support.get, ({ params }, { db, actor }) => loadOwnTicket(db, actor, params.id))
  addRoute(app, support.choices, async (_, { db, actor }) => ({ items: await listTicketSubjects(db, actor) }))
  addRoute(app, support.create, async ({ body }, ctx) => noteTicket(ctx, await openTicket(ctx.db, ctx.actor, body)))
  addRoute(app, support.reply, async ({ params, body }, ctx) =>
    noteTicket(ctx, await continueTicket(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, support.solve, async ({ params }, ctx) =>
    noteTicket(ctx, await solveOwnTicket(ctx.db, ctx.actor, params.id)),
  )
  addRoute(app, support.rate, async ({ params, body }, ctx) =>
    noteTicket(ctx, await rateTicket(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, support.attach, ({ query, upload }, { db, files, actor, note }) => {
    note({ target: query.name, detail: { size: upload.byteLength } })
    const { companyId, userId } = actor
    return storeAttachment(db, files, { companyId, userId, name: query.name, content: upload })
  })
  addRoute(app, support.detach, async ({ params }, { db, actor }) => {
    await removeUnsentAttachment(db, actor, params.id)
    return { success: true as const }
  })
  addRoute(app, support.file, ({ params }, { db, files, actor }) =>
    loadAttachment(db, files, ownTicketScope(actor), params.id, false),
  )
  deskRoutes(app)
}
