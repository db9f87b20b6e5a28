import type { Consent } from '@voisol/contract/consents'
import { formatLongDay } from '../../../papers/words.ts'
import { getCurrentConsentText } from '../../energy/consents/consents.ts'
import { formatGreeting } from '../../people/mail/mail.ts'
import type { NotificationEvent } from '../../people/notifications/notifications.ts'

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
