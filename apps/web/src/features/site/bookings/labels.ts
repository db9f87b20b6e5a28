import type { Booking, BookingStatus } from '@voisol/contract/bookings'
import { addDays } from '@voisol/energy/calendar'
import type { Tone } from '../../../components/badge.tsx'

export const BOOKING_STATUS_BADGES: Record<BookingStatus, { label: string; tone: Tone }> = {
  booked: { label: 'Réservée', tone: 'info' },
  confirmed: { label: 'Confirmée', tone: 'success' },
  done: { label: 'Tenue', tone: 'neutral' },
  'no-show': { label: 'Absence', tone: 'warning' },
  cancelled: { label: 'Annulée', tone: 'danger' },
}

export const formatVisitorName = ({ firstName, lastName }: Pick<Booking, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`

/** Days as they are written; a week begins on Monday. */
const toUtcNoon = (day: string) => new Date(`${day}T12:00:00Z`)
export const getMonday = (day: string) => addDays(day, -((toUtcNoon(day).getUTCDay() + 6) % 7))
/** The Monday to look at: on a week-end the coming one. */
export const getNearestWorkMonday = (day: string) =>
  getMonday([0, 6].includes(toUtcNoon(day).getUTCDay()) ? addDays(day, 2) : day)
export const listWorkdays = (day: string) => Array.from({ length: 5 }, (_, index) => addDays(getMonday(day), index))

const PARIS_DAY_FORMAT = new Intl.DateTimeFormat('fr-CA', { timeZone: 'Europe/Paris' })
export const getTodayInParis = () => PARIS_DAY_FORMAT.format(new Date())

const SHORT_DAY_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
})
export const formatShortWeekday = (day: string) => SHORT_DAY_FORMAT.format(toUtcNoon(day))
