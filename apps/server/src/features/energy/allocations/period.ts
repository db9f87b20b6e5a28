import { addMonths } from '@voisol/energy/calendar'
import { formatFrenchDay } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'

const MAX_RUN_MONTHS = 24

/** Requires whole past days, at most two years of them. */
export function requireRunPeriod({ from, to }: { from: string; to: string }, maxMonths = MAX_RUN_MONTHS) {
  if (from >= to) throw fieldError('to', 'La fin de la période doit venir après son début.')
  if (to > getToday())
    throw fieldError(
      'to',
      `La période doit être passée\u00a0: elle se termine au plus tard le ${formatFrenchDay(getToday())}, jour non compris.`,
    )
  if (to > addMonths(from, maxMonths))
    throw fieldError('to', `La période compte au plus ${maxMonths} mois\u00a0: raccourcissez-la.`)
}
