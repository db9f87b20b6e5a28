import type { ApiKey } from '@voisol/contract/api-keys'
import type { backups } from '@voisol/contract/backups'
import type { Connection } from '@voisol/contract/connections'
import type { Reply } from '@voisol/contract/endpoint'
import type { health } from '@voisol/contract/health'
import type { Webhook } from '@voisol/contract/webhooks'
import { date, plural, relative } from '../lib/format.ts'

/** Something of administration that waits for somebody, and where it is done. */
export type Hand = { key: string; text: string; to: string }

const NIGHT_MS = 30 * 3_600_000
const isOld = (at: string | undefined) => !at || Date.now() - Date.parse(at) > NIGHT_MS

export const alertHands = ({ alerts }: Reply<typeof health.get>): Hand[] =>
  alerts
    .filter(({ closedAt }) => closedAt === null)
    .map(({ id, detail, advice }) => ({ key: id, text: `${detail} ${advice}`, to: '/admin/system-health' }))

/** Copies that are missing or no longer read. */
export function copyHands({ trouble, copies: kept }: Reply<typeof backups.installation>): Hand[] {
  const to = '/admin/backups'
  const [last] = kept
  const unread = kept.find(({ proved }) => proved?.ok === false)
  return [
    ...(trouble ? [{ key: 'trouble', text: trouble, to }] : []),
    ...(!trouble && isOld(last?.madeAt)
      ? [
          {
            key: 'copy',
            text: last
              ? `La dernière copie de l’installation a été faite ${relative(last.madeAt)}.`
              : 'L’installation n’a encore aucune copie.',
            to,
          },
        ]
      : []),
    ...(unread ? [{ key: unread.name, text: `La copie ${unread.name} n’a pas passé sa vérification.`, to }] : []),
  ]
}

const SOON_DAYS = 14
const daysUntil = (day: string) => Math.ceil((Date.parse(day) - Date.now()) / 86_400_000)

export const keyHands = (keys: ApiKey[]): Hand[] =>
  keys.flatMap(({ id, name, status, expiresOn }) =>
    status === 'active' && expiresOn !== null && daysUntil(expiresOn) <= SOON_DAYS
      ? [{ key: id, text: `La clé d’API «\u00a0${name}\u00a0» finit le ${date(expiresOn)}.`, to: '/admin/api-keys' }]
      : [],
  )

export const webhookHands = (webhooks: Webhook[]): Hand[] =>
  webhooks.flatMap(({ id, url, status, failingSince }) => {
    const host = URL.canParse(url) ? new URL(url).host : url
    const text =
      status === 'disabled'
        ? `Le webhook vers ${host} est arrêté\u00a0: il n’envoie plus rien.`
        : failingSince && `Le webhook vers ${host} échoue depuis ${relative(failingSince).replace(/^il y a /, '')}.`
    return text ? [{ key: id, text, to: '/admin/webhooks' }] : []
  })

export const connectionHands = (connections: Connection[]): Hand[] =>
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

export const deadHands = (total: number): Hand[] =>
  total === 0
    ? []
    : [
        {
          key: 'dead',
          text: `${plural(total, 'envoi n’est pas parti', 'envois ne sont pas partis')}\u00a0: à rejouer ou à écarter.`,
          to: '/admin/esb?onglet=echecs',
        },
      ]
