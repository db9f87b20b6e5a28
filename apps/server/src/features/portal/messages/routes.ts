import { messages } from '@voisol/contract/messages'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { listMessages, loadMessage } from './message-queries.ts'
import { listMessageTemplates, removeMessageTemplate, saveMessageTemplate } from './message-templates.ts'
import { answerOwnMessage, listOwnMessages, markOwnMessageOpened } from './own-messages.ts'
import { cancelMessage, createMessage, previewMessage, remindRecipients } from './send-messages.ts'

export function messageRoutes(app: FastifyInstance) {
  addRoute(app, messages.list, ({ query }, { db, actor }) => listMessages(db, actor, query))
  addRoute(app, messages.get, ({ params }, { db, actor }) => loadMessage(db, actor, params.id))
  addRoute(app, messages.preview, ({ body }, ctx) => previewMessage(ctx, ctx.actor, body))
  addRoute(app, messages.create, async ({ body }, { db, actor, note }) => {
    const row = await createMessage(db, actor, body)
    note({ target: row.subject, detail: { audience: row.audience, to: row.target, sendAt: row.sendAt } })
    return row
  })
  addRoute(app, messages.cancel, async ({ params, body }, { db, actor, note }) => {
    const row = await cancelMessage(db, actor, params.id, body)
    note({ target: row.subject })
    return row
  })
  addRoute(app, messages.remind, async ({ params }, { db, actor, note }) => {
    const sent = await remindRecipients(db, actor, params.id)
    note({ detail: { sent } })
    return { sent }
  })
  templateRoutes(app)
  ownRoutes(app)
}

function templateRoutes(app: FastifyInstance) {
  addRoute(app, messages.templates, async (_, { db, actor }) => ({ items: await listMessageTemplates(db, actor) }))
  addRoute(app, messages.saveTemplate, async ({ body }, { db, actor, note }) => {
    note({ target: body.name })
    return saveMessageTemplate(db, actor, body)
  })
  addRoute(app, messages.removeTemplate, async ({ params }, { db, actor, note }) => {
    note({ target: await removeMessageTemplate(db, actor, params.id) })
    return { success: true as const }
  })
}

function ownRoutes(app: FastifyInstance) {
  addRoute(app, messages.mine, ({ query }, { db, actor }) => listOwnMessages(db, actor, query))
  addRoute(app, messages.open, async ({ params }, { db, actor, note }) => {
    const message = await markOwnMessageOpened(db, actor, params.id)
    note({ target: message.subject })
    return message
  })
  addRoute(app, messages.answer, async ({ params, body }, { db, actor, note }) => {
    const answer = await answerOwnMessage(db, actor, params.id, body.body)
    note({ detail: answer })
    return answer
  })
}
