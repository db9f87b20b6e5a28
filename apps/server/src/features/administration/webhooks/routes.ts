import { webhooks } from '@voisol/contract/webhooks'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { addDelivery } from './deliveries.ts'
import { createWebhook, findWebhook, listDeliveries, listWebhooks, removeWebhook } from './webhooks.ts'

export function webhookRoutes(app: FastifyInstance) {
  route(app, webhooks.list, ({ query }, { db, actor }) => listWebhooks(db, actor, query))

  route(app, webhooks.create, async ({ body }, ctx) => {
    const { db, actor, note } = ctx
    const made = await createWebhook(db, ctx, actor, body)
    note({ target: made.url, detail: { after: { url: made.url, events: made.events } } })
    return made
  })

  route(app, webhooks.remove, async ({ params }, { db, actor, note }) => {
    const { url } = await removeWebhook(db, actor, params.id)
    note({ target: url })
    return { success: true as const }
  })

  route(app, webhooks.test, async ({ params }, { db, actor, note }) => {
    const { id, url, companyId } = await findWebhook(db, actor, params.id)
    const data = { message: 'Événement d’essai' }
    await addDelivery(db, companyId, id, { event: 'ping', sequence: null, occurredAt: new Date(), data })
    note({ target: url })
    return { success: true as const }
  })

  route(app, webhooks.deliveries, ({ params, query }, { db, actor }) => listDeliveries(db, actor, params.id, query))
}
