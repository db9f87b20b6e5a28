import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'

/** Notifies those who manage the connections when one was stopped automatically. */
export const connectionSubscriber = defineSubscriber({
  name: 'connections',
  on: ['connection.stopped'],
  handle: (tx, deps, { companyId, at, id, data: { name, reason } }) =>
    notify(tx, deps, {
      companyId,
      at,
      to: { permission: 'connections.write' },
      category: 'system',
      type: 'error',
      priority: 'high',
      title: `La connexion «\u00a0${name}\u00a0» a été arrêtée`,
      message: `${reason}\nÀ faire\u00a0: corrigez la cause, puis reprenez la connexion\u00a0: ce qui n’est pas parti partira.`,
      action: { label: 'Voir les connexions', url: '/admin/enterprise-connections' },
      key: `connection-stopped ${id}`,
    }),
})
