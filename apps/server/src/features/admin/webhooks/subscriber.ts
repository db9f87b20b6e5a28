import { WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { and, eq, inArray } from 'drizzle-orm'
import { webhooks } from '../../../db/schema/index.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'
import { addWebhookDelivery } from './webhook-message.ts'

/** Creates a delivery for every subscribed webhook. Deliveries are sent in any order; the sequence number gives it. */
export const webhookSubscriber = defineSubscriber({
  name: 'webhooks',
  on: WEBHOOK_EVENTS,
  prepare: (tx, companyId) =>
    tx
      .select({ id: webhooks.id, events: webhooks.events })
      .from(webhooks)
      .where(and(eq(webhooks.companyId, companyId), inArray(webhooks.status, ['active', 'paused']))),
  async handle(tx, _, { companyId, name: event, seq: sequence, at: occurredAt, data }, listening) {
    for (const { id, events } of listening)
      if (events.includes(event)) await addWebhookDelivery(tx, companyId, id, { event, sequence, occurredAt, data })
  },
})

const STOP_REASONS = {
  gone: 'Son serveur a répondu que cette adresse n’existe plus (410).',
  failing: 'Aucun envoi n’a réussi depuis cinq jours.',
}

/** Notifies the managers of webhooks when one was stopped automatically. */
export const webhookStopSubscriber = defineSubscriber({
  name: 'webhook-stops',
  on: ['webhook.stopped'],
  async handle(tx, deps, { companyId, at, id, data: { host, reason } }) {
    await notify(tx, deps, {
      companyId,
      at,
      to: { permission: 'webhooks.write' },
      category: 'system',
      type: 'error',
      priority: 'high',
      title: `Le webhook vers ${host} a été arrêté`,
      message: `${STOP_REASONS[reason]}\nÀ faire\u00a0: rétablissez le serveur, reprenez le webhook, puis rejouez ce qu’il a manqué.`,
      action: { label: 'Voir les webhooks', url: '/admin/webhooks' },
      key: `webhook-stopped ${id}`,
    })
  },
})
