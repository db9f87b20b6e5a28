import type { Booking, BookingStatus } from '@voisol/contract/bookings'
import type { Tone } from '../../ui/badge.tsx'

export const STATUSES: Record<BookingStatus, { label: string; tone: Tone }> = {
  booked: { label: 'Réservée', tone: 'info' },
  confirmed: { label: 'Confirmée', tone: 'success' },
  done: { label: 'Tenue', tone: 'neutral' },
  'no-show': { label: 'Absence', tone: 'warning' },
  cancelled: { label: 'Annulée', tone: 'danger' },
}
export const statusOptions = Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))
export const nameOf = ({ firstName, lastName }: Pick<Booking, 'firstName' | 'lastName'>) => `${firstName} ${lastName}`

/** The states that may follow, as the server allows them. */
export const NEXT: Record<BookingStatus, BookingStatus[]> = {
  booked: ['confirmed', 'cancelled'],
  confirmed: ['done', 'no-show', 'cancelled'],
  done: [],
  'no-show': [],
  cancelled: [],
}
