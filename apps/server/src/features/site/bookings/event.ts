import { DEMO_MINUTES } from '@voisol/contract/bookings'
import { type CalendarEvent, formatCalendar } from '../../../calendar/ics.ts'
import type { Config } from '../../../config.ts'
import type { bookings } from '../../../db/schema/index.ts'

export type BookingRow = typeof bookings.$inferSelect

export const DEMO_LOCATION = 'Visioconférence - Lien envoyé par email'
const CALENDAR_STATUS = { booked: 'TENTATIVE', cancelled: 'CANCELLED' } as const

const getCalendarStatus = ({ status }: BookingRow) =>
  status === 'booked' || status === 'cancelled' ? CALENDAR_STATUS[status] : ('CONFIRMED' as const)

export function buildBookingEvent(row: BookingRow, config: Config, method: CalendarEvent['method']): CalendarEvent {
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
