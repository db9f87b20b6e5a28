import { addMonths } from '@voisol/energy/calendar'
import { frenchDay } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'

const MAX_MONTHS = 24

/** Whole days that are over, two years of them at most. */
export function requirePeriod({ from, to }: { from: string; to: string }, maxMonths = MAX_MONTHS) {
  if (from >= to) throw fieldError('to', 'La fin de la période doit venir après son début.')
  if (to > today())
    throw fieldError(
      'to',
      `La période doit être passée\u00a0: elle se termine au plus tard le ${frenchDay(today())}, jour non compris.`,
    )
  if (to > addMonths(from, maxMonths))
    throw fieldError('to', `La période compte au plus ${maxMonths} mois\u00a0: raccourcissez-la.`)
}
