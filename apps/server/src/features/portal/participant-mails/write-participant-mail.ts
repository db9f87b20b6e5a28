import type { Consent } from '@voisol/contract/consents'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { and, eq } from 'drizzle-orm'
import type { Config } from '../../../config.ts'
import { listUserIdsOfParticipant } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toStableId } from '../../../jobs/job.ts'
import { getCurrentConsentText } from '../../energy/consents/index.ts'
import { formatGreeting, loadMailBrand, renderMail, sendMail } from '../../identity/mail/index.ts'
import {
  buildNotificationMail,
  findRecipients,
  type NotificationEvent,
  notify,
} from '../../identity/notifications/index.ts'

type ParticipantMessage = { companyId: number; participantId: string; at: Date; key: string }

/** Loads the recipient with what the text needs. */
export async function loadMailReader(
  db: Db,
  config: Config,
  companyId: number,
  person: Pick<ParticipantMailReader, 'firstName' | 'hasAccount'>,
): Promise<ParticipantMailReader> {
  const brand = await loadMailBrand(db, config, companyId)
  return { ...person, organiser: brand?.name ?? 'Votre organisateur', contact: brand?.contact ?? '' }
}

/** A notification mail for users with preferences, or a simple mail for those without an account. */
export async function composeParticipantMail(
  db: Db,
  config: Config,
  companyId: number,
  words: ParticipantMailText,
  hasAccount: boolean,
) {
  if (hasAccount) return buildNotificationMail(db, config, companyId, words)
  const brand = await loadMailBrand(db, config, companyId)
  const layout = renderMail({
    title: words.title,
    paragraphs: words.mail.text.split(/\n+/),
    footer: 'Vous recevez ce message parce que vous prenez part à une opération d’autoconsommation collective.',
    brand,
  })
  return { subject: words.title, ...layout }
}

async function findPerson(
  tx: Db,
  { companyId, participantId }: Pick<ParticipantMessage, 'companyId' | 'participantId'>,
) {
  const [row] = await tx
    .select({ email: participants.email, firstName: participants.firstName })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, participantId)))
  return row
}

/**
 * Notifies each holder with an account in the portal and by mail; without an account, writes to the participant's mail
 * address if known.
 */
export async function sendParticipantMail(
  tx: Db,
  deps: Deps,
  message: ParticipantMessage,
  wordsFor: (reader: ParticipantMailReader) => ParticipantMailText,
) {
  const { companyId, participantId, at, key } = message
  const wordsTo = async (firstName: string, hasAccount: boolean) =>
    wordsFor(await loadMailReader(tx, deps.config, companyId, { firstName, hasAccount }))
  const accounts = await findRecipients(tx, {
    companyId,
    to: await listUserIdsOfParticipant(tx, companyId, participantId),
  })
  const person = await findPerson(tx, message)
  for (const { id, firstName } of accounts) {
    const words = await wordsTo(firstName || (person?.firstName ?? ''), true)
    await notify(tx, deps, {
      companyId,
      to: [id],
      at,
      key,
      ...words,
      ...ACCOUNT_CATEGORY,
      type: 'warning',
      priority: 'high',
    })
  }
  if (accounts.length || !person?.email) return
  const words = await wordsTo(person.firstName, false)
  const mail = { to: person.email, ...(await composeParticipantMail(tx, deps.config, companyId, words, false)) }
  await sendMail(tx, deps.secrets, mail, { companyId, id: toStableId(`participant mail ${companyId} ${key}`) })
}

/** Account messages are mandatory: they have no one-click unsubscribe. */
export const ACCOUNT_CATEGORY = { category: 'account' } as const

/** The short notification and the full text of the mail. */
export type ParticipantMailText = Required<Pick<NotificationEvent, 'title' | 'message' | 'mail'>> &
  Pick<NotificationEvent, 'action'>

/** A reader without an account has no screen to go to, and is told to contact the organiser. */
export type ParticipantMailReader = { firstName: string; hasAccount: boolean; organiser: string; contact: string }

const buildMailText = (
  reader: Pick<ParticipantMailReader, 'firstName'>,
  title: string,
  message: string,
  paragraphs: (string | false)[],
): ParticipantMailText => ({
  title,
  message,
  mail: { text: [formatGreeting(reader.firstName), message, ...paragraphs].filter(Boolean).join('\n\n') },
})

export const buildWelcomeMail = ({
  firstName,
  organiser,
}: Pick<ParticipantMailReader, 'firstName' | 'organiser'>): ParticipantMailText => ({
  ...buildMailText({ firstName }, 'Bienvenue dans votre espace', `Votre espace chez ${organiser} est ouvert.`, [
    'Vous y trouvez la part locale de votre électricité, jour après jour, et les heures où en profiter.',
    'Vos factures, vos accords et votre moyen de paiement y sont aussi, ainsi que les messages de votre organisateur.',
    'Une question\u00a0? Ouvrez «\u00a0Mes questions\u00a0» dans votre espace\u00a0: votre organisateur vous y répond.',
  ]),
  action: { label: 'Ouvrir mon espace', url: '/client-portal' },
})

const PROFILE_PATH = '/client-portal/profile'
const GIVE_CONSENT_ACTION = { label: 'Donner mon accord', url: PROFILE_PATH }
const RENEW_CONSENT_ACTION = { label: 'Renouveler mon accord', url: PROFILE_PATH }
/** How to give the consent: on the user's own screen, or by writing to the organiser, who records it. */
const describeHowTo = (verb: 'donner' | 'renouveler', { hasAccount, organiser, contact }: ParticipantMailReader) =>
  hasAccount
    ? `Le ${verb} prend une minute, dans votre espace, à la page «\u00a0Mon profil\u00a0». Vous pouvez changer d’avis à tout moment.`
    : `Pour le ${verb}, écrivez à ${organiser}${contact ? ` (${contact})` : ''}, qui vous enverra le document à signer ou une invitation à votre espace.`

const WITHOUT_CONSENT_MESSAGE =
  'Sans lui, votre organisateur doit faire cesser les relevés de votre compteur, et vous ne recevez plus d’énergie locale. Les factures déjà émises restent dues.'

export const buildConsentRequestMail = (reader: ParticipantMailReader): ParticipantMailText => ({
  ...buildMailText(
    reader,
    'Votre accord est demandé',
    `${reader.organiser} a besoin de votre accord pour la collecte de vos mesures.`,
    [
      'Ces mesures servent à calculer votre part d’énergie locale et à établir vos factures. Aucun autre participant ne les voit.',
      WITHOUT_CONSENT_MESSAGE,
      describeHowTo('donner', reader),
    ],
  ),
  ...(reader.hasAccount && { action: GIVE_CONSENT_ACTION }),
})

const formatDeadline = (left: number, on: string) =>
  left <= 0
    ? 'aujourd’hui'
    : left === 1
      ? `demain, le ${formatLongDay(on)}`
      : `dans ${left}\u00a0jours, le ${formatLongDay(on)}`

/** `others`: what else expires on that day. */
export const buildConsentEndingMail = (
  reader: ParticipantMailReader,
  { on, left, others }: { on: string; left: number; others: Consent['purpose'][] },
): ParticipantMailText => {
  const titles = others.map((purpose) => getCurrentConsentText(purpose)?.title ?? purpose)
  return {
    ...buildMailText(
      reader,
      'Un de vos accords se termine bientôt',
      `Votre accord pour la collecte de vos mesures se termine ${formatDeadline(left, on)}.`,
      [
        WITHOUT_CONSENT_MESSAGE,
        titles.length > 0 && `Se termine aussi d’ici là, et reste facultatif\u00a0: ${titles.join(', ')}.`,
        describeHowTo('renouveler', reader),
      ],
    ),
    ...(reader.hasAccount && { action: RENEW_CONSENT_ACTION }),
  }
}
