import { EVENTS } from '@voisol/contract/events'
import { WEBHOOK_EVENTS, webhooks } from '@voisol/contract/webhooks'
import type { FastifyInstance } from 'fastify'
import { buildMessageSample, buildMessageSchema } from '../../../http/openapi.ts'
import { addRoute } from '../../../http/route.ts'
import { listWebhookDeliveries, loadWebhookDelivery, replayWebhookDeliveries } from './webhook-deliveries.ts'
import { addWebhookDelivery } from './webhook-message.ts'
import {
  createWebhook,
  listWebhooks,
  loadWebhook,
  removeWebhook,
  rotateSecret,
  setWebhookStatus,
  updateWebhook,
} from './webhooks.ts'

export function webhookRoutes(app: FastifyInstance) {
  addRoute(app, webhooks.list, ({ query }, { db, actor }) => listWebhooks(db, actor, query))
  addRoute(app, webhooks.catalogue, async () => ({ items: buildWebhookCatalogue() }))

  addRoute(app, webhooks.create, async ({ body }, ctx) => {
    const { db, actor, note } = ctx
    const made = await createWebhook(db, ctx, actor, body)
    note({ target: made.url, detail: { after: { url: made.url, events: made.events } } })
    return made
  })

  addRoute(app, webhooks.update, async ({ params, body }, { db, actor, config, note }) => {
    const { before, after } = await updateWebhook(db, config, actor, params.id, body)
    note({ target: after.url, detail: { before, after } })
    return after
  })

  addRoute(app, webhooks.move, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await setWebhookStatus(db, actor, params.id, body.status)
    note({ target: after.url, detail: { before, after } })
    return after
  })

  addRoute(app, webhooks.rotate, async ({ params, body }, ctx) => {
    const { db, actor, note } = ctx
    const made = await rotateSecret(db, ctx, actor, params.id, body.overlapHours)
    note({ target: made.url, detail: { overlapHours: body.overlapHours } })
    return made
  })

  addRoute(app, webhooks.remove, async ({ params }, { db, actor, note }) => {
    const { url } = await removeWebhook(db, actor, params.id)
    note({ target: url })
    return { success: true as const }
  })

  addRoute(app, webhooks.test, async ({ params }, { db, actor, note }) => {
    const { id, url, companyId } = await loadWebhook(db, actor, params.id)
    const data = { message: 'Événement d’essai' }
    await addWebhookDelivery(db, companyId, id, { event: 'ping', sequence: null, occurredAt: new Date(), data })
    note({ target: url })
    return { success: true as const }
  })

  addRoute(app, webhooks.deliveries, ({ params, query }, { db, actor }) =>
    listWebhookDeliveries(db, actor, params.id, query),
  )
  addRoute(app, webhooks.delivery, ({ params }, { db, actor }) =>
    loadWebhookDelivery(db, actor, params.id, params.deliveryId),
  )

  addRoute(app, webhooks.replay, async ({ params, body }, { db, actor, note }) => {
    const sent = await replayWebhookDeliveries(db, actor, params.id, body)
    const { url } = await loadWebhook(db, actor, params.id)
    note({ target: url, detail: { ...body, count: sent } })
    return { count: sent }
  })
}

/** The events that a webhook can subscribe to, with schema and sample, from the event catalogue. */
const buildWebhookCatalogue = () =>
  WEBHOOK_EVENTS.map((id) => ({
    id,
    label: EVENTS[id].label,
    schema: buildMessageSchema(id),
    sample: buildMessageSample(id),
  }))
