import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'

/** Notifies the installation operators of an alert and its remedy, in the app and by mail. */
export const healthSubscriber = defineSubscriber({
  name: 'health',
  on: ['alert.raised'],
  handle: (tx, deps, { companyId, data }) =>
    notify(tx, deps, {
      companyId,
      to: { permission: 'installation.read' },
      category: 'system',
      type: data.level === 'critical' ? 'error' : 'warning',
      priority: 'high',
      title:
        data.level === 'critical'
          ? 'Santé de l’installation\u00a0: à régler sans attendre'
          : 'Santé de l’installation\u00a0: à regarder',
      message: `${data.detail}\nÀ faire\u00a0: ${data.advice}`,
      action: { label: 'Voir la santé', url: '/admin/system-health' },
      key: `health ${data.alertId} ${data.level}`,
    }),
})
