import { calendarAttachment } from '../../../calendar/ics.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { greeting, mailLayout, sendMail, visitorFooter } from '../../people/mail/mail.ts'
import { longSlot } from './days.ts'
import { type BookingRow, bookingEvent } from './event.ts'

type Post = Pick<Deps, 'secrets' | 'config'>
type Told = { title: string; paragraphs: string[]; method?: 'CANCEL'; link?: boolean }

export const TOLD = {
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
} as const satisfies Record<string, Told>

/** Tells the visitor, with the event for their calendar. */
export async function tellVisitor(tx: Db, post: Post, row: BookingRow, what: keyof typeof TOLD) {
  const told: Told = TOLD[what]
  const event = bookingEvent(row, post.config, told.method ?? 'REQUEST')
  await sendMail(tx, post.secrets, {
    to: row.email,
    replyTo: post.config.SUPPORT_EMAIL,
    subject: `${told.title} (${row.reference})`,
    attachments: [calendarAttachment(event, 'demonstration.ics')],
    ...mailLayout({
      title: told.title,
      paragraphs: [
        greeting(row.firstName),
        `${longSlot(row.day, row.time)}, référence ${row.reference}.`.replace(/^./, (c) => c.toUpperCase()),
        ...told.paragraphs,
        ...(what === 'cancelled' ? [] : ['Pour changer de moment ou annuler, répondez simplement à ce message.']),
      ],
      ...(told.link && row.meetingUrl && { action: { label: 'Ouvrir la visioconférence', url: row.meetingUrl } }),
      footer: visitorFooter(post.config),
    }),
  })
}
