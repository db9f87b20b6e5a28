import type { Consent } from '@voisol/contract/consents'
import { longDay } from '../../../papers/words.ts'
import { currentText } from '../../energy/consents/consents.ts'
import { greeting } from '../../people/mail/mail.ts'
import type { NotificationEvent } from '../../people/notifications/notifications.ts'

/** What the app says in a line, and the message in full. */
export type Words = Required<Pick<NotificationEvent, 'title' | 'message' | 'mail'>> & Pick<NotificationEvent, 'action'>

/** Somebody without an account of their own has no screen to go to: their organiser is whom they write to. */
export type Reader = { firstName: string; hasAccount: boolean; organiser: string; contact: string }

const wordsOf = (
  reader: Pick<Reader, 'firstName'>,
  title: string,
  message: string,
  paragraphs: (string | false)[],
): Words => ({
  title,
  message,
  mail: { text: [greeting(reader.firstName), message, ...paragraphs].filter(Boolean).join('\n\n') },
})

export const welcomeWords = ({ firstName, organiser }: Pick<Reader, 'firstName' | 'organiser'>): Words => ({
  ...wordsOf({ firstName }, 'Bienvenue dans votre espace', `Votre espace chez ${organiser} est ouvert.`, [
    'Vous y trouvez la part locale de votre électricité, jour après jour, et les heures où en profiter.',
    'Vos factures, vos accords et votre moyen de paiement y sont aussi, ainsi que les messages de votre organisateur.',
    'Une question\u00a0? Ouvrez «\u00a0Mes questions\u00a0» dans votre espace\u00a0: votre organisateur vous y répond.',
  ]),
  action: { label: 'Ouvrir mon espace', url: '/client-portal' },
})

const PROFILE = '/client-portal/profile'
const GIVE = { label: 'Donner mon accord', url: PROFILE }
const RENEW = { label: 'Renouveler mon accord', url: PROFILE }
/** Where one says yes: on one's own screen, or to the organiser, who keeps the paper. */
const howTo = (verb: 'donner' | 'renouveler', { hasAccount, organiser, contact }: Reader) =>
  hasAccount
    ? `Le ${verb} prend une minute, dans votre espace, à la page «\u00a0Mon profil\u00a0». Vous pouvez changer d’avis à tout moment.`
    : `Pour le ${verb}, écrivez à ${organiser}${contact ? ` (${contact})` : ''}, qui vous enverra le document à signer ou une invitation à votre espace.`

const STOPS =
  'Sans lui, votre organisateur doit faire cesser les relevés de votre compteur, et vous ne recevez plus d’énergie locale. Les factures déjà émises restent dues.'

export const askedWords = (reader: Reader): Words => ({
  ...wordsOf(
    reader,
    'Votre accord est demandé',
    `${reader.organiser} a besoin de votre accord pour la collecte de vos mesures.`,
    [
      'Ces mesures servent à calculer votre part d’énergie locale et à établir vos factures. Aucun autre participant ne les voit.',
      STOPS,
      howTo('donner', reader),
    ],
  ),
  ...(reader.hasAccount && { action: GIVE }),
})

const when = (left: number, on: string) =>
  left <= 0 ? 'aujourd’hui' : left === 1 ? `demain, le ${longDay(on)}` : `dans ${left}\u00a0jours, le ${longDay(on)}`

/** `others`: what else ends by that day. */
export const endingWords = (
  reader: Reader,
  { on, left, others }: { on: string; left: number; others: Consent['purpose'][] },
): Words => {
  const titles = others.map((purpose) => currentText(purpose)?.title ?? purpose)
  return {
    ...wordsOf(
      reader,
      'Un de vos accords se termine bientôt',
      `Votre accord pour la collecte de vos mesures se termine ${when(left, on)}.`,
      [
        STOPS,
        titles.length > 0 && `Se termine aussi d’ici là, et reste facultatif\u00a0: ${titles.join(', ')}.`,
        howTo('renouveler', reader),
      ],
    ),
    ...(reader.hasAccount && { action: RENEW }),
  }
}
