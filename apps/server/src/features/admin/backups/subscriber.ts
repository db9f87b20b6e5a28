import type { EventData } from '@voisol/contract/events'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'

const FAILURE_TITLES: Record<EventData<'copy.failed'>['kind'], string> = {
  copy: 'La copie de l’installation a échoué',
  verify: 'Une copie de l’installation ne se relit pas',
  drill: 'L’essai de restauration a échoué',
}

/** Whoever keeps the installation hears of what failed, in the app and by mail. */
export const backupSubscriber = defineSubscriber({
  name: 'backups',
  on: ['copy.failed'],
  handle: (tx, deps, { companyId, data }) =>
    notify(tx, deps, {
      companyId,
      to: { permission: 'installation.read' },
      category: 'system',
      type: 'error',
      priority: 'high',
      title: FAILURE_TITLES[data.kind],
      message: `${data.reason}\nÀ faire\u00a0: corrigez la cause, puis lancez-la à nouveau depuis l’écran des copies.`,
      action: { label: 'Voir les copies', url: '/admin/backups' },
      key: `copy failed ${data.runId}`,
    }),
})
