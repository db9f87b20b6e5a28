import { supportDesk } from '@voisol/contract/support-agents'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import {
  listDeskAgents,
  listOrganisationsWithTickets,
  listTicketQueue,
  loadDeskTicket,
  loadSupportFigures,
} from './agent-queries.ts'
import {
  addTicketNote,
  answerTicket,
  decideHeldMessage,
  mergeTickets,
  updateTicket,
  writeInTicketCompany,
} from './answer-ticket.ts'
import { loadAttachment, storeAttachment } from './attachments.ts'
import { createCannedReply, listCannedReplies, removeCannedReply, updateCannedReply } from './canned-replies.ts'
import { loadOwnSupportHours, setSupportHours } from './support-hours.ts'
import { deskScope, loadTicket } from './ticket-queries.ts'

const formatTicketTitle = ({ number, asker }: { number: number; asker: { company: string } }) =>
  `Demande n° ${number} (${asker.company})`

function noteTicket<T extends Parameters<typeof formatTicketTitle>[0]>(
  { note }: RouteContext,
  ticket: T,
  detail = {},
): T {
  note({ target: formatTicketTitle(ticket), detail })
  return ticket
}

/** Of the desk itself: its answers, its hours and how it does. */
function deskSettingRoutes(app: FastifyInstance) {
  addRoute(app, supportDesk.people, async (_, { db, actor }) => ({ items: await listDeskAgents(db, actor) }))
  addRoute(app, supportDesk.organisations, async (_, { db }) => ({ items: await listOrganisationsWithTickets(db) }))
  addRoute(app, supportDesk.figures, ({ query }, { db, actor }) => loadSupportFigures(db, actor, query))
  addRoute(app, supportDesk.hours, ({ query }, { db, actor }) => loadOwnSupportHours(db, actor, query.desk))
  addRoute(app, supportDesk.setHours, async ({ body }, { db, actor, note }) => {
    const { before, after } = await setSupportHours(db, actor, body)
    note({ target: body.desk, detail: { before, after } })
    return after
  })
  addRoute(app, supportDesk.canned, async ({ query }, { db, actor }) => ({
    items: await listCannedReplies(db, actor, query.desk),
  }))
  addRoute(app, supportDesk.addCanned, async ({ body }, { db, actor, note }) => {
    const after = await createCannedReply(db, actor, body)
    note({ target: after.name, detail: { after } })
    return after
  })
  addRoute(app, supportDesk.updateCanned, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateCannedReply(db, actor, params.id, body)
    note({ target: after.name, detail: { before, after } })
    return after
  })
  addRoute(app, supportDesk.removeCanned, async ({ params }, { db, actor, note }) => {
    const before = await removeCannedReply(db, actor, params.id)
    note({ target: before.name, detail: { before } })
    return { success: true as const }
  })
}

export function deskRoutes(app: FastifyInstance) {
  addRoute(app, supportDesk.queue, ({ query }, { db, actor }) => listTicketQueue(db, actor, query))
  addRoute(app, supportDesk.get, ({ params }, { db, actor }) => loadDeskTicket(db, actor, params.id))
  addRoute(app, supportDesk.answer, async ({ params, body }, ctx) =>
    noteTicket(ctx, await answerTicket(ctx.db, ctx.actor, params.id, body), { leaves: body.leaves }),
  )
  addRoute(app, supportDesk.note, async ({ params, body }, ctx) =>
    noteTicket(ctx, await addTicketNote(ctx.db, ctx.actor, params.id, body.body)),
  )
  addRoute(app, supportDesk.update, async ({ params, body }, ctx) => {
    const { before, after } = await updateTicket(ctx.db, ctx.actor, params.id, body)
    const { priority, category, state, assignee } = after
    return noteTicket(ctx, after, { before, after: { priority, category, state, assigneeId: assignee?.id ?? null } })
  })
  addRoute(app, supportDesk.merge, async ({ params, body }, ctx) =>
    noteTicket(ctx, await mergeTickets(ctx.db, ctx.actor, params.id, body.into), { merged: params.id }),
  )
  addRoute(app, supportDesk.release, async ({ params, body }, ctx) =>
    noteTicket(ctx, await decideHeldMessage(ctx.db, ctx.actor, params.id, body.decision), { decision: body.decision }),
  )
  addRoute(app, supportDesk.attach, async ({ params, query, upload }, { db, files, actor, note }) => {
    const { companyId, number } = await loadTicket(db, deskScope(actor), params.id)
    note({ target: `Demande n° ${number}`, detail: { name: query.name, size: upload.byteLength } })
    const file = { companyId, userId: actor.userId, name: query.name, content: upload }
    return writeInTicketCompany(db, actor, companyId, () => storeAttachment(db, files, file))
  })
  addRoute(app, supportDesk.file, ({ params }, { db, files, actor }) =>
    loadAttachment(db, files, deskScope(actor), params.id, true),
  )
  deskSettingRoutes(app)
}
