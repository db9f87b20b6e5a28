import { DEMO_MINUTES } from '@voisol/contract/bookings'
import { buildCalendarAttachment, type CalendarEvent, formatCalendar } from '../../../calendar/ics.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import type { bookings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatGreeting, formatVisitorFooter, renderMail, sendMail } from '../../identity/mail/index.ts'
import { formatSlot } from './booking-slots.ts'

export type BookingRow = typeof bookings.$inferSelect

const DEMO_LOCATION = 'Visioconférence - Lien envoyé par email'
const CALENDAR_STATUS = { booked: 'TENTATIVE', cancelled: 'CANCELLED' } as const

const getCalendarStatus = ({ status }: BookingRow) =>
  status === 'booked' || status === 'cancelled' ? CALENDAR_STATUS[status] : ('CONFIRMED' as const)

function buildBookingEvent(row: BookingRow, config: Config, method: CalendarEvent['method']): CalendarEvent {
  const link = row.status === 'cancelled' ? '' : row.meetingUrl
  const facts = [
    `Démonstration de Voisol, référence ${row.reference}`,
    `Nom\u00a0: ${row.firstName} ${row.lastName}`,
    `Entreprise\u00a0: ${row.company}`,
    `Type de projet\u00a0: ${row.projectType}`,
    ...(link ? [`Visioconférence\u00a0: ${link}`] : []),
  ]
  return {
    method,
    uid: `${row.id}@voisol`,
    sequence: row.sequence,
    stamp: new Date(),
    startsAt: row.startsAt,
    minutes: DEMO_MINUTES,
    title: 'Démonstration Voisol',
    description: facts.join('\n'),
    location: DEMO_LOCATION,
    url: link || undefined,
    status: getCalendarStatus(row),
    organizer: { name: 'Voisol', email: config.SUPPORT_EMAIL },
    attendee: { name: `${row.firstName} ${row.lastName}`, email: row.email },
  }
}

export const buildBookingCalendarFile = (row: BookingRow, config: Config) => ({
  name: `demonstration-${row.reference}.ics`,
  type: 'text/calendar; charset=utf-8',
  content: formatCalendar(buildBookingEvent(row, config, 'PUBLISH')),
})

type MailDeps = Pick<Deps, 'secrets' | 'config'>
type VisitorMail = { title: string; paragraphs: string[]; method?: 'CANCEL'; link?: boolean }

const VISITOR_MAILS = {
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
