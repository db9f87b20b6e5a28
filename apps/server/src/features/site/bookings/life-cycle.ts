import type { BookingStatus } from '@voisol/contract/bookings'
import { AppError } from '../../../http/errors.ts'

export const BOOKING_STATUS_LABELS: Record<BookingStatus, string> = {
  booked: 'Réservée',
  confirmed: 'Confirmée',
  done: 'Effectuée',
  'no-show': 'Absent',
  cancelled: 'Annulée',
}

export const NEXT_BOOKING_STATUSES: Record<BookingStatus, BookingStatus[]> = {
  booked: ['confirmed', 'cancelled'],
  confirmed: ['done', 'no-show', 'cancelled'],
  done: [],
  'no-show': [],
  cancelled: [],
}

const quoteStatus = (status: BookingStatus) => `«\u00a0${BOOKING_STATUS_LABELS[status]}\u00a0»`

export function requireBookingTransition(
  { status, startsAt }: { status: BookingStatus; startsAt: Date },
  wanted: BookingStatus,
) {
  if (!NEXT_BOOKING_STATUSES[status].includes(wanted)) {
    const possible = NEXT_BOOKING_STATUSES[status].map(quoteStatus).join(', ') || 'aucun autre'
    throw new AppError('invalid-transition', {
      message: `Une réservation à l’état ${quoteStatus(status)} ne peut pas passer à ${quoteStatus(wanted)}\u00a0; états possibles\u00a0: ${possible}.`,
    })
  }
  if ((wanted === 'done' || wanted === 'no-show') && startsAt.getTime() > Date.now())
    throw new AppError('invalid-transition', { message: 'Cette démonstration n’a pas encore commencé.' })
}
