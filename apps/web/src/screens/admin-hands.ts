import type { ApiKey } from '@voisol/contract/api-keys'
import type { backups } from '@voisol/contract/backups'
import type { Connection } from '@voisol/contract/connections'
import type { EndpointReply } from '@voisol/contract/endpoint'
import type { health } from '@voisol/contract/health'
import type { Webhook } from '@voisol/contract/webhooks'
import { formatCount, formatDate, formatRelativeTime } from '../lib/format.ts'

/** Something of administration that waits for somebody, and where it is done. */
export type TodoItem = { key: string; text: string; to: string }

const MAX_COPY_AGE_MS = 30 * 3_600_000
const isCopyOutdated = (at: string | undefined) => !at || Date.now() - Date.parse(at) > MAX_COPY_AGE_MS

export const buildAlertTodos = ({ alerts }: EndpointReply<typeof health.get>): TodoItem[] =>
  alerts
    .filter(({ closedAt }) => closedAt === null)
    .map(({ id, detail, advice }) => ({ key: id, text: `${detail} ${advice}`, to: '/admin/system-health' }))

/** Copies that are missing or no longer read. */
export function buildCopyTodos({ trouble, copies: kept }: EndpointReply<typeof backups.installation>): TodoItem[] {
  const to = '/admin/backups'
  const [last] = kept
  const failedCopy = kept.find(({ proved }) => proved?.ok === false)
  return [
    ...(trouble ? [{ key: 'trouble', text: trouble, to }] : []),
    ...(!trouble && isCopyOutdated(last?.madeAt)
      ? [
          {
            key: 'copy',
            text: last
              ? `La dernière copie de l’installation a été faite ${formatRelativeTime(last.madeAt)}.`
              : 'L’installation n’a encore aucune copie.',
            to,
          },
        ]
      : []),
    ...(failedCopy
      ? [{ key: failedCopy.name, text: `La copie ${failedCopy.name} n’a pas passé sa vérification.`, to }]
      : []),
  ]
}

const KEY_EXPIRY_WARNING_DAYS = 14
const daysUntil = (day: string) => Math.ceil((Date.parse(day) - Date.now()) / 86_400_000)

export const buildKeyTodos = (keys: ApiKey[]): TodoItem[] =>
  keys.flatMap(({ id, name, status, expiresOn }) =>
    status === 'active' && expiresOn !== null && daysUntil(expiresOn) <= KEY_EXPIRY_WARNING_DAYS
      ? [
          {
            key: id,
            text: `La clé d’API «\u00a0${name}\u00a0» finit le ${formatDate(expiresOn)}.`,
            to: '/admin/api-keys',
          },
        ]
      : [],
  )

export const buildWebhookTodos = (webhooks: Webhook[]): TodoItem[] =>
  webhooks.flatMap(({ id, url, status, failingSince }) => {
    const host = URL.canParse(url) ? new URL(url).host : url
    const text =
      status === 'disabled'
        ? `Le webhook vers ${host} est arrêté\u00a0: il n’envoie plus rien.`
        : failingSince &&
          `Le webhook vers ${host} échoue depuis ${formatRelativeTime(failingSince).replace(/^il y a /, '')}.`
    return text ? [{ key: id, text, to: '/admin/webhooks' }] : []
  })

export const buildConnectionTodos = (connections: Connection[]): TodoItem[] =>
  connections.flatMap(({ id, name, state, trouble }) =>
    state === 'stopped' || trouble
      ? [
          {
            key: id,
            text: `La connexion «\u00a0${name}\u00a0» ${state === 'stopped' ? 'est arrêtée' : 'est gênée'}${trouble ? `\u00a0: ${trouble}` : '.'}`,
            to: '/admin/enterprise-connections',
          },
        ]
      : [],
  )

export const buildDeadLetterTodos = (total: number): TodoItem[] =>
  total === 0
    ? []
    : [
        {
          key: 'dead',
          text: `${formatCount(total, 'envoi n’est pas parti', 'envois ne sont pas partis')}\u00a0: à rejouer ou à écarter.`,
          to: '/admin/esb?onglet=echecs',
        },
      ]
