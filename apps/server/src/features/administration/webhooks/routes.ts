import { webhooks } from '@voisol/contract/webhooks'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { catalogue } from './catalogue.ts'
import { listDeliveries, readDelivery, replay } from './deliveries.ts'
import { addDelivery } from './message.ts'
import {
  createWebhook,
  findWebhook,
  listWebhooks,
  moveWebhook,
  removeWebhook,
  rotateSecret,
  updateWebhook,
} from './webhooks.ts'

export function webhookRoutes(app: FastifyInstance) {
  route(app, webhooks.list, ({ query }, { db, actor }) => listWebhooks(db, actor, query))
  route(app, webhooks.catalogue, async () => ({ items: catalogue() }))

  route(app, webhooks.create, async ({ body }, ctx) => {
    const { db, actor, note } = ctx
    const made = await createWebhook(db, ctx, actor, body)
    note({ target: made.url, detail: { after: { url: made.url, events: made.events } } })
    return made
  })

  route(app, webhooks.update, async ({ params, body }, { db, actor, config, note }) => {
    const { before, after } = await updateWebhook(db, config, actor, params.id, body)
    note({ target: after.url, detail: { before, after } })
    return after
  })

  route(app, webhooks.move, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await moveWebhook(db, actor, params.id, body.status)
    note({ target: after.url, detail: { before, after } })
    return after
  })

  route(app, webhooks.rotate, async ({ params, body }, ctx) => {
    const { db, actor, note } = ctx
    const made = await rotateSecret(db, ctx, actor, params.id, body.overlapHours)
    note({ target: made.url, detail: { overlapHours: body.overlapHours } })
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
  route(app, webhooks.delivery, ({ params }, { db, actor }) => readDelivery(db, actor, params.id, params.deliveryId))

  route(app, webhooks.replay, async ({ params, body }, { db, actor, note }) => {
    const sent = await replay(db, actor, params.id, body)
    const { url } = await findWebhook(db, actor, params.id)
    note({ target: url, detail: { ...body, count: sent } })
    return { count: sent }
  })
}
