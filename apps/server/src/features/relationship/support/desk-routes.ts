import { supportDesk } from '@voisol/contract/support-desk'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { attachmentOf, keepAttachment } from './attachments.ts'
import { addCanned, listCanned, removeCanned, updateCanned } from './canned.ts'
import { addNote, answer, inItsCompany, updateTicket } from './desk.ts'
import { readAtDesk } from './desk-view.ts'
import { readFigures } from './figures.ts'
import { ownHours, setHours } from './hours.ts'
import { decideHeld, merge } from './merge.ts'
import { deskPeople, listQueue, organisations } from './queue.ts'
import { deskScope } from './scope.ts'
import { findTicket } from './view.ts'

const titled = ({ number, asker }: { number: number; asker: { company: string } }) =>
  `Demande n° ${number} (${asker.company})`

function noted<T extends Parameters<typeof titled>[0]>({ note }: Context, ticket: T, detail = {}): T {
  note({ target: titled(ticket), detail })
  return ticket
}

/** Of the desk itself: its answers, its hours and how it does. */
function settingRoutes(app: FastifyInstance) {
  route(app, supportDesk.people, async (_, { db, actor }) => ({ items: await deskPeople(db, actor) }))
  route(app, supportDesk.organisations, async (_, { db }) => ({ items: await organisations(db) }))
  route(app, supportDesk.figures, ({ query }, { db, actor }) => readFigures(db, actor, query))
  route(app, supportDesk.hours, ({ query }, { db, actor }) => ownHours(db, actor, query.desk))
  route(app, supportDesk.setHours, async ({ body }, { db, actor, note }) => {
    const { before, after } = await setHours(db, actor, body)
    note({ target: body.desk, detail: { before, after } })
    return after
  })
  route(app, supportDesk.canned, async ({ query }, { db, actor }) => ({
    items: await listCanned(db, actor, query.desk),
  }))
  route(app, supportDesk.addCanned, async ({ body }, { db, actor, note }) => {
    const after = await addCanned(db, actor, body)
    note({ target: after.name, detail: { after } })
    return after
  })
  route(app, supportDesk.updateCanned, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateCanned(db, actor, params.id, body)
    note({ target: after.name, detail: { before, after } })
    return after
  })
  route(app, supportDesk.removeCanned, async ({ params }, { db, actor, note }) => {
    const before = await removeCanned(db, actor, params.id)
    note({ target: before.name, detail: { before } })
    return { success: true as const }
  })
}

export function deskRoutes(app: FastifyInstance) {
  route(app, supportDesk.queue, ({ query }, { db, actor }) => listQueue(db, actor, query))
  route(app, supportDesk.get, ({ params }, { db, actor }) => readAtDesk(db, actor, params.id))
  route(app, supportDesk.answer, async ({ params, body }, ctx) =>
    noted(ctx, await answer(ctx.db, ctx.actor, params.id, body), { leaves: body.leaves }),
  )
  route(app, supportDesk.note, async ({ params, body }, ctx) =>
    noted(ctx, await addNote(ctx.db, ctx.actor, params.id, body.body)),
  )
  route(app, supportDesk.update, async ({ params, body }, ctx) => {
    const { before, after } = await updateTicket(ctx.db, ctx.actor, params.id, body)
    const { priority, category, state, assignee } = after
    return noted(ctx, after, { before, after: { priority, category, state, assigneeId: assignee?.id ?? null } })
  })
  route(app, supportDesk.merge, async ({ params, body }, ctx) =>
    noted(ctx, await merge(ctx.db, ctx.actor, params.id, body.into), { merged: params.id }),
  )
  route(app, supportDesk.release, async ({ params, body }, ctx) =>
    noted(ctx, await decideHeld(ctx.db, ctx.actor, params.id, body.decision), { decision: body.decision }),
  )
  route(app, supportDesk.attach, async ({ params, query, upload }, { db, files, actor, note }) => {
    const { companyId, number } = await findTicket(db, deskScope(actor), params.id)
    note({ target: `Demande n° ${number}`, detail: { name: query.name, size: upload.byteLength } })
    const file = { companyId, userId: actor.userId, name: query.name, content: upload }
    return inItsCompany(db, actor, companyId, () => keepAttachment(db, files, file))
  })
  route(app, supportDesk.file, ({ params }, { db, files, actor }) =>
    attachmentOf(db, files, deskScope(actor), params.id, true),
  )
  settingRoutes(app)
}
