import type { Booking, BookingStatus } from '@voisol/contract/bookings'
import type { Tone } from '../../ui/badge.tsx'

export const BOOKING_STATUS_BADGES: Record<BookingStatus, { label: string; tone: Tone }> = {
  booked: { label: 'Réservée', tone: 'info' },
  confirmed: { label: 'Confirmée', tone: 'success' },
  done: { label: 'Tenue', tone: 'neutral' },
  'no-show': { label: 'Absence', tone: 'warning' },
  cancelled: { label: 'Annulée', tone: 'danger' },
}
export const bookingStatusOptions = Object.entries(BOOKING_STATUS_BADGES).map(([value, { label }]) => ({
  value,
  label,
}))
export const formatVisitorName = ({ firstName, lastName }: Pick<Booking, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`

/** The states that may follow, as the server allows them. */
export const NEXT_STATUSES: Record<BookingStatus, BookingStatus[]> = {
  booked: ['confirmed', 'cancelled'],
  confirmed: ['done', 'no-show', 'cancelled'],
  done: [],
  'no-show': [],
  cancelled: [],
}
