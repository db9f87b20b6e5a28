import type { BookingStatus } from '@voisol/contract/bookings'
import { AppError } from '../../../http/errors.ts'

export const STATUS_LABELS: Record<BookingStatus, string> = {
  booked: 'Réservée',
  confirmed: 'Confirmée',
  done: 'Effectuée',
  'no-show': 'Absent',
  cancelled: 'Annulée',
}

export const NEXT: Record<BookingStatus, BookingStatus[]> = {
  booked: ['confirmed', 'cancelled'],
  confirmed: ['done', 'no-show', 'cancelled'],
  done: [],
  'no-show': [],
  cancelled: [],
}

const name = (status: BookingStatus) => `«\u00a0${STATUS_LABELS[status]}\u00a0»`

export function requireNext({ status, startsAt }: { status: BookingStatus; startsAt: Date }, wanted: BookingStatus) {
  if (!NEXT[status].includes(wanted)) {
    const possible = NEXT[status].map(name).join(', ') || 'aucun autre'
    throw new AppError('invalid-transition', {
      message: `Une réservation à l’état ${name(status)} ne peut pas passer à ${name(wanted)}\u00a0; états possibles\u00a0: ${possible}.`,
    })
  }
  if ((wanted === 'done' || wanted === 'no-show') && startsAt.getTime() > Date.now())
    throw new AppError('invalid-transition', { message: 'Cette démonstration n’a pas encore commencé.' })
}
