import { clip } from '@voisol/money/days'
import { AppError, fieldError } from '../../../http/errors.ts'
import { type ClosedMonth, closedSentence, closedWithin } from './closed.ts'

/** From one day until another: how fees and discounts keep theirs. */
export type Term = { startsOn: string; endsOn: string | null }

const within = (month: ClosedMonth, term: Term | null) =>
  term ? clip(month, { from: term.startsOn, to: term.endsOn }) : undefined

export const isUsed = (closed: readonly ClosedMonth[], term: Term): boolean =>
  closed.some((month) => within(month, term) !== undefined)

/** The closed months that would count other days. */
const changed = (closed: readonly ClosedMonth[], before: Term | null, after: Term | null) =>
  closed.filter((month) => {
    const [was, now] = [within(month, before), within(month, after)]
    return was?.from !== now?.from || was?.to !== now?.to
  })

/** What is new counts in no closed month. */
export function requireOpen(closed: readonly ClosedMonth[], term: Term) {
  const months = changed(closed, null, term)
  if (months.length) throw fieldError('startsOn', closedSentence(months, 'rien ne s’y ajoute.'))
}

export function requireRemovable(closed: readonly ClosedMonth[], term: Term) {
  const months = changed(closed, term, null)
  if (months.length)
    throw new AppError('conflict', {
      message: closedSentence(months, 'ce qui y a été compté ne peut plus être supprimé. Donnez-lui plutôt une fin.'),
    })
}

/** Of what a closed month has counted only the end may still be set, and no closed month ever counts other days. */
export function requireChangeable<T extends Term>(closed: readonly ClosedMonth[], before: T, after: Partial<T> & Term) {
  const used = closedWithin(closed, { from: before.startsOn, to: before.endsOn })
  const other = Object.entries(after).filter(
    ([name, value]) => name !== 'endsOn' && name !== 'version' && before[name as keyof T] !== value, // a key of both
  )
  if (used.length && other.length)
    throw new AppError('conflict', {
      message: closedSentence(used, 'de ce qui y a été compté, seule la fin peut encore changer.'),
    })
  const months = changed(closed, before, after)
  if (months.length)
    throw fieldError('endsOn', closedSentence(months, 'les jours qui y sont comptés ne changent plus.'))
}
