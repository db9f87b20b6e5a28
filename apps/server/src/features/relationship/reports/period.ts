import type { ReportSpan } from '@voisol/contract/report-blocks'
import { addMonths } from '@voisol/energy/calendar'
import { frenchMonth } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'

type Days = { from: string; to: string }
const SAID = {
  month: 'Ce rapport est d’un mois, par exemple 2026-05.',
  year: 'Ce rapport est d’une année, par exemple 2026.',
}

/** Half-open, as everywhere; what has not begun has nothing to tell. */
export function daysOf(span: ReportSpan, period: string): Days {
  if ((span === 'year') !== (period.length === 4)) throw fieldError('period', SAID[span])
  const from = span === 'year' ? `${period}-01-01` : `${period}-01`
  if (from > today()) throw fieldError('period', 'Cette période n’a pas commencé.')
  return { from, to: addMonths(from, span === 'year' ? 12 : 1) }
}

export const periodWords = (period: string) => (period.length === 4 ? `année ${period}` : frenchMonth(`${period}-01`))

/** The last one that is over on a day. */
export const lastOver = (span: ReportSpan, day: string) =>
  span === 'year' ? `${Number(day.slice(0, 4)) - 1}` : addMonths(`${day.slice(0, 7)}-01`, -1).slice(0, 7)

type Rhythm = { month: number | null; day: number }
const two = (value: number) => String(value).padStart(2, '0')

/** The first day after `after` on which it leaves. */
export function nextOf({ month, day }: Rhythm, after: string): string {
  const step = month === null ? 1 : 12
  const first = `${after.slice(0, 4)}-${month === null ? after.slice(5, 7) : two(month)}-${two(day)}`
  return first > after ? first : addMonths(first, step)
}
