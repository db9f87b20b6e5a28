import { daysBetween } from '@voisol/energy/calendar'
import { fieldError } from '../../../http/errors.ts'

/** A little over a year: what a screen or a file shows at once. */
export const MOST_DAYS = 400

export function requireRange(from: string, to: string, most = MOST_DAYS): void {
  const days = daysBetween(from, to)
  if (days < 1) throw fieldError('to', 'La fin de la période doit venir après son début.')
  if (days > most) throw fieldError('to', `La période compte ${days} jours\u00a0: au plus ${most} sont lus à la fois.`)
}
