import type { Space } from '@voisol/contract/permissions'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { notify } from '../notifications/notifications.ts'
import { describeDevice, getUserAgent } from './device.ts'

type AccountOwner = { userId: string; companyId: number; space: Space }
type SecurityNotice = { title: string; message: string; priority: 'normal' | 'high' }

const IF_NOT_YOU_ADVICE = 'Si ce n’est pas vous, changez votre mot de passe et fermez les autres sessions.'
const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
})

/** The security notifications sent to the owner of an account. */
export const SECURITY_NOTICES = {
  passwordChanged: {
    title: 'Votre mot de passe a été changé',
    message: `Les autres sessions ont été fermées. ${IF_NOT_YOU_ADVICE}`,
    priority: 'high',
  },
  secondFactorOn: {
    title: 'Double authentification activée',
    message: `Un code vous sera demandé à chaque connexion. ${IF_NOT_YOU_ADVICE}`,
    priority: 'normal',
  },
  secondFactorOff: {
    title: 'Double authentification désactivée',
    message: `Votre mot de passe suffit désormais pour vous connecter. ${IF_NOT_YOU_ADVICE}`,
    priority: 'high',
  },
  secondFactorReset: {
    title: 'Double authentification retirée par un administrateur',
    message: 'Un administrateur de votre organisation l’a retirée. Activez-la de nouveau dès que possible.',
    priority: 'high',
  },
  passkeyAdded: {
    title: 'Clé d’accès ajoutée',
    message: `Elle permet de se connecter à votre compte. ${IF_NOT_YOU_ADVICE}`,
    priority: 'high',
  },
  passkeyRemoved: {
    title: 'Clé d’accès retirée',
    message: `Elle ne permet plus de se connecter à votre compte. ${IF_NOT_YOU_ADVICE}`,
    priority: 'high',
  },
  recoveryCodes: {
    title: 'Codes de secours renouvelés',
    message: `Les codes précédents ne sont plus valables. ${IF_NOT_YOU_ADVICE}`,
    priority: 'normal',
  },
} as const satisfies Record<string, SecurityNotice>

export const buildNewDeviceNotice = (request: FastifyRequest): SecurityNotice => ({
  title: 'Connexion depuis un nouvel appareil',
  message: `${describeDevice(getUserAgent(request))}, adresse IP ${request.ip}, le ${DATE_TIME_FORMAT.format(new Date())}. ${IF_NOT_YOU_ADVICE}`,
  priority: 'high',
})

export const buildSessionReusedNotice = (session: { userAgent: string; createdAt: Date }): SecurityNotice => ({
  title: 'Session fermée par précaution',
  message: `La session ouverte le ${DATE_TIME_FORMAT.format(session.createdAt)} (${describeDevice(session.userAgent)}) a été fermée\u00a0: elle a été employée à deux endroits, et quelqu’un l’a peut-être copiée. Reconnectez-vous. Si vous ne reconnaissez pas cette session, changez votre mot de passe.`,
  priority: 'high',
})

/** Notifies the owner of an account of a change; `key` identifies the call, so that it is sent once. */
export const notifyAccountOwner = (
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  owner: AccountOwner,
  notice: SecurityNotice,
  request: FastifyRequest,
) =>
  notify(tx, deps, {
    companyId: owner.companyId,
    to: [owner.userId],
    category: 'security',
    type: 'warning',
    ...notice,
    action: {
      label: 'Voir mon profil',
      url: owner.space === 'office' ? '/settings/profile' : '/client-portal/profile',
    },
    key: `security ${request.id}`,
  })
