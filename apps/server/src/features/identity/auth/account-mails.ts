import type { Space } from '@voisol/contract/permissions'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { buildBrandUrl, loadMailBrandOfUser, renderMail, sendMail } from '../mail/index.ts'
import { notify } from '../notifications/index.ts'
import { describeDevice, getUserAgent } from './devices.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>

const buildFooter = ({ config }: Pick<MailDeps, 'config'>) =>
  `Voisol — une question ? Écrivez à ${config.SUPPORT_EMAIL}.`

type AccountMailText = { title: string; paragraphs: string[]; action?: { label: string; path: string } }

/** With the branding of the company, when the account belongs to a single one. */
async function composeAccountMail(
  tx: Db,
  post: Pick<MailDeps, 'config'>,
  to: string,
  { title, paragraphs, action }: AccountMailText,
) {
  const brand = await loadMailBrandOfUser(tx, post.config, to)
  const content = renderMail({
    title,
    paragraphs,
    ...(action && { action: { label: action.label, url: buildBrandUrl(post.config, brand, action.path) } }),
    footer: buildFooter(post),
    brand,
  })
  return { subject: title, ...content }
}

const sendAccountMail = async (tx: Db, post: MailDeps, to: string, words: AccountMailText) =>
  sendMail(tx, post.secrets, { to, ...(await composeAccountMail(tx, post, to, words)) })

const buildResetMailText = (token: string): AccountMailText => ({
  title: 'Choisir un nouveau mot de passe',
  paragraphs: [
    'Un nouveau mot de passe a été demandé pour votre compte.',
    'Ce lien est valable une heure et ne sert qu’une fois. Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste le même.',
  ],
  action: { label: 'Choisir un mot de passe', path: `/login?reset=${token}` },
})
export const sendResetLinkMail = (tx: Db, post: MailDeps, to: string, token: string) =>
  sendAccountMail(tx, post, to, buildResetMailText(token))

const buildVerificationMailText = (token: string): AccountMailText => ({
  title: 'Confirmez votre adresse e-mail',
  paragraphs: [
    'Un compte Voisol vient d’être créé avec cette adresse. Confirmez que c’est bien la vôtre pour inviter d’autres personnes et protéger votre compte.',
    'Ce lien est valable trois jours. Si vous n’avez rien demandé, ignorez ce message.',
  ],
  action: { label: 'Confirmer mon adresse', path: `/login?verify=${token}` },
})
export const sendVerificationMail = (tx: Db, post: MailDeps, to: string, token: string) =>
  sendAccountMail(tx, post, to, buildVerificationMailText(token))

export const sendNotYetActiveMail = (tx: Db, post: MailDeps, to: string) =>
  sendAccountMail(tx, post, to, {
    title: 'Votre compte n’est pas encore activé',
    paragraphs: [
      'Un nouveau mot de passe a été demandé, mais vous n’en avez pas encore choisi.',
      'Ouvrez le lien reçu dans votre invitation, ou demandez-en une nouvelle à votre administrateur.',
    ],
  })

export const sendUseSsoMail = (tx: Db, post: MailDeps, to: string) =>
  sendAccountMail(tx, post, to, {
    title: 'Votre compte s’ouvre par la connexion d’entreprise',
    paragraphs: [
      'Un nouveau mot de passe a été demandé, mais votre compte n’en a pas besoin : votre organisation vous fait entrer par son fournisseur d’identité.',
      'Sur la page de connexion, choisissez « Connexion d’entreprise ». Si elle ne vous ouvre pas, écrivez à l’administrateur de votre organisation.',
    ],
    action: { label: 'Se connecter', path: '/login' },
  })

export const sendRegistrationAttemptMail = (tx: Db, post: MailDeps, to: string) =>
  sendAccountMail(tx, post, to, {
    title: 'Une inscription a été tentée avec votre adresse',
    paragraphs: [
      'Quelqu’un a voulu créer un compte avec votre adresse e-mail, qui en a déjà un. Rien n’a été créé ni changé.',
      'Si c’est vous, connectez-vous, ou demandez un nouveau mot de passe si vous l’avez oublié. Sinon, ignorez ce message.',
    ],
    action: { label: 'Se connecter', path: '/login' },
  })

/** A preview of an account mail; its link is not valid. */
export const buildAccountMailPreview = (
  db: Db,
  config: MailDeps['config'],
  to: string,
  kind: 'reset' | 'verification',
) =>
  composeAccountMail(
    db,
    { config },
    to,
    kind === 'reset' ? buildResetMailText('apercu') : buildVerificationMailText('apercu'),
  )

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
