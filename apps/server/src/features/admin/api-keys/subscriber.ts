import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'

const NBSP = '\u00a0'
const formatDeadline = (left: number, on: string) =>
  left === 0
    ? 'aujourd’hui'
    : left === 1
      ? `demain, le ${formatLongDay(on)}`
      : `dans ${left} jours, le ${formatLongDay(on)}`

/** Notifies those who manage the API keys, in the app and by mail, before a key expires. */
export const apiKeySubscriber = defineSubscriber({
  name: 'api-keys',
  on: ['apikey.expiry-approached'],
  async handle(tx, deps, { companyId, at, data: { keyId, name, prefix, on, left, warning } }) {
    await notify(tx, deps, {
      companyId,
      at,
      to: { permission: 'api-keys.write' },
      category: 'security',
      type: 'warning',
      priority: 'high',
      title: `La clé d’API «${NBSP}${name}${NBSP}» se termine bientôt`,
      message: `La clé ${prefix}… s’arrête ${formatDeadline(left, on)}.\nÀ faire${NBSP}: renouvelez-la, puis remplacez-la dans le programme qui l’emploie${NBSP}; l’ancienne peut rester valable le temps du changement.`,
      action: { label: 'Voir les clés d’API', url: '/admin/api-keys' },
      key: `api-key-expiry ${keyId} ${on} ${warning}`,
    })
  },
})
