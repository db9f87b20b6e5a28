import { intersectPeriods } from '@voisol/money/days'
import { AppError, fieldError } from '../../../http/errors.ts'
import { buildClosedMonthsMessage, type ClosedMonthPeriod, findClosedMonthsIn } from './closed.ts'

/** The period of a fee or discount. */
export type TermDates = { startsOn: string; endsOn: string | null }

const clipToMonth = (month: ClosedMonthPeriod, term: TermDates | null) =>
  term ? intersectPeriods(month, { from: term.startsOn, to: term.endsOn }) : undefined

export const isCountedInClosedMonth = (closed: readonly ClosedMonthPeriod[], term: TermDates): boolean =>
  closed.some((month) => clipToMonth(month, term) !== undefined)

/** The closed months in which other days would count. */
const findChangedMonths = (closed: readonly ClosedMonthPeriod[], before: TermDates | null, after: TermDates | null) =>
  closed.filter((month) => {
    const [was, now] = [clipToMonth(month, before), clipToMonth(month, after)]
    return was?.from !== now?.from || was?.to !== now?.to
  })

/** Something new may not apply in a closed month. */
export function requireOutsideClosedMonths(closed: readonly ClosedMonthPeriod[], term: TermDates) {
  const months = findChangedMonths(closed, null, term)
  if (months.length) throw fieldError('startsOn', buildClosedMonthsMessage(months, 'rien ne s’y ajoute.'))
}

export function requireRemovable(closed: readonly ClosedMonthPeriod[], term: TermDates) {
  const months = findChangedMonths(closed, term, null)
  if (months.length)
    throw new AppError('conflict', {
      message: buildClosedMonthsMessage(
        months,
        'ce qui y a été compté ne peut plus être supprimé. Donnez-lui plutôt une fin.',
      ),
    })
}

/** Once counted in a closed month only the end can change, and never the days of a closed month. */
export function requireChangeable<T extends TermDates>(
  closed: readonly ClosedMonthPeriod[],
  before: T,
  after: Partial<T> & TermDates,
) {
  const used = findClosedMonthsIn(closed, { from: before.startsOn, to: before.endsOn })
  const other = Object.entries(after).filter(
    ([name, value]) => name !== 'endsOn' && name !== 'version' && before[name as keyof T] !== value, // a key of both
  )
  if (used.length && other.length)
    throw new AppError('conflict', {
      message: buildClosedMonthsMessage(used, 'de ce qui y a été compté, seule la fin peut encore changer.'),
    })
  const months = findChangedMonths(closed, before, after)
  if (months.length)
    throw fieldError('endsOn', buildClosedMonthsMessage(months, 'les jours qui y sont comptés ne changent plus.'))
}
