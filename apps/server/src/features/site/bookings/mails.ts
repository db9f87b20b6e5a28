import { buildCalendarAttachment } from '../../../calendar/ics.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { formatGreeting, formatVisitorFooter, renderMail, sendMail } from '../../people/mail/mail.ts'
import { formatSlot } from './days.ts'
import { type BookingRow, buildBookingEvent } from './event.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>
type VisitorMail = { title: string; paragraphs: string[]; method?: 'CANCEL'; link?: boolean }

export const VISITOR_MAILS = {
  booked: {
    title: 'Votre démonstration est réservée',
    paragraphs: ['Le lien de la visioconférence vous sera envoyé par e-mail dès qu’elle sera confirmée.'],
  },
  confirmed: {
    title: 'Votre démonstration est confirmée',
    paragraphs: ['Le lien ci-dessous ouvre la visioconférence à l’heure dite.'],
    link: true,
  },
  moved: {
    title: 'Votre démonstration est déplacée',
    paragraphs: ['Ce nouveau moment remplace le précédent, dans votre agenda aussi.'],
    link: true,
  },
  cancelled: {
    title: 'Votre démonstration est annulée',
    paragraphs: ['Elle n’aura pas lieu. Vous pouvez choisir un autre créneau sur notre site quand vous le souhaitez.'],
    method: 'CANCEL',
  },
} as const satisfies Record<string, VisitorMail>

/** Tells the visitor, with the event for their calendar. */
export async function sendVisitorMail(tx: Db, post: MailDeps, row: BookingRow, what: keyof typeof VISITOR_MAILS) {
  const content: VisitorMail = VISITOR_MAILS[what]
  const event = buildBookingEvent(row, post.config, content.method ?? 'REQUEST')
  await sendMail(tx, post.secrets, {
    to: row.email,
    replyTo: post.config.SUPPORT_EMAIL,
    subject: `${content.title} (${row.reference})`,
    attachments: [buildCalendarAttachment(event, 'demonstration.ics')],
    ...renderMail({
      title: content.title,
      paragraphs: [
        formatGreeting(row.firstName),
        `${formatSlot(row.day, row.time)}, référence ${row.reference}.`.replace(/^./, (c) => c.toUpperCase()),
        ...content.paragraphs,
        ...(what === 'cancelled' ? [] : ['Pour changer de moment ou annuler, répondez simplement à ce message.']),
      ],
      ...(content.link && row.meetingUrl && { action: { label: 'Ouvrir la visioconférence', url: row.meetingUrl } }),
      footer: formatVisitorFooter(post.config),
    }),
  })
}
