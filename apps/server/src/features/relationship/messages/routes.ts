import { messages } from '@voisol/contract/messages'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { createMessage } from './messages.ts'
import { answerMine, listMine, openMine } from './mine.ts'
import { remindReaders } from './send.ts'
import { listTemplates, removeTemplate, saveTemplate } from './templates.ts'
import { getMessage, listMessages } from './view.ts'
import { cancelMessage, previewMessage } from './write.ts'

export function messageRoutes(app: FastifyInstance) {
  route(app, messages.list, ({ query }, { db, actor }) => listMessages(db, actor, query))
  route(app, messages.get, ({ params }, { db, actor }) => getMessage(db, actor, params.id))
  route(app, messages.preview, ({ body }, ctx) => previewMessage(ctx, ctx.actor, body))
  route(app, messages.create, async ({ body }, { db, actor, note }) => {
    const row = await createMessage(db, actor, body)
    note({ target: row.subject, detail: { audience: row.audience, to: row.target, sendAt: row.sendAt } })
    return row
  })
  route(app, messages.cancel, async ({ params, body }, { db, actor, note }) => {
    const row = await cancelMessage(db, actor, params.id, body)
    note({ target: row.subject })
    return row
  })
  route(app, messages.remind, async ({ params }, { db, actor, note }) => {
    const sent = await remindReaders(db, actor, params.id)
    note({ detail: { sent } })
    return { sent }
  })
  templateRoutes(app)
  ownRoutes(app)
}

function templateRoutes(app: FastifyInstance) {
  route(app, messages.templates, async (_, { db, actor }) => ({ items: await listTemplates(db, actor) }))
  route(app, messages.saveTemplate, async ({ body }, { db, actor, note }) => {
    note({ target: body.name })
    return saveTemplate(db, actor, body)
  })
  route(app, messages.removeTemplate, async ({ params }, { db, actor, note }) => {
    note({ target: await removeTemplate(db, actor, params.id) })
    return { success: true as const }
  })
}

function ownRoutes(app: FastifyInstance) {
  route(app, messages.mine, ({ query }, { db, actor }) => listMine(db, actor, query))
  route(app, messages.open, async ({ params }, { db, actor, note }) => {
    const message = await openMine(db, actor, params.id)
    note({ target: message.subject })
    return message
  })
  route(app, messages.answer, async ({ params, body }, { db, actor, note }) => {
    const answer = await answerMine(db, actor, params.id, body.body)
    note({ detail: answer })
    return answer
  })
}
