import { daysBetween } from '@voisol/energy/calendar'
import { fieldError } from '../../../http/errors.ts'

/** A little over a year: the most that a screen or file shows at once. */
export const MAX_RANGE_DAYS = 400

export function requireDayRange(from: string, to: string, maxDays = MAX_RANGE_DAYS): void {
  const days = daysBetween(from, to)
  if (days < 1) throw fieldError('to', 'La fin de la période doit venir après son début.')
  if (days > maxDays)
    throw fieldError('to', `La période compte ${days} jours\u00a0: au plus ${maxDays} sont lus à la fois.`)
}
