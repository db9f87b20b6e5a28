import type { ReportSpan } from '@voisol/contract/report-blocks'
import { addMonths } from '@voisol/energy/calendar'
import { formatFrenchMonth } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'

type DateRange = { from: string; to: string }
const PERIOD_FORMAT_MESSAGES = {
  month: 'Ce rapport est d’un mois, par exemple 2026-05.',
  year: 'Ce rapport est d’une année, par exemple 2026.',
}

/** Half-open, like all periods; a period that has not started is refused. */
export function getPeriodDays(span: ReportSpan, period: string): DateRange {
  if ((span === 'year') !== (period.length === 4)) throw fieldError('period', PERIOD_FORMAT_MESSAGES[span])
  const from = span === 'year' ? `${period}-01-01` : `${period}-01`
  if (from > getToday()) throw fieldError('period', 'Cette période n’a pas commencé.')
  return { from, to: addMonths(from, span === 'year' ? 12 : 1) }
}

export const formatReportPeriod = (period: string) =>
  period.length === 4 ? `année ${period}` : formatFrenchMonth(`${period}-01`)

/** The last period that has ended on a day. */
export const getLastCompletePeriod = (span: ReportSpan, day: string) =>
  span === 'year' ? `${Number(day.slice(0, 4)) - 1}` : addMonths(`${day.slice(0, 7)}-01`, -1).slice(0, 7)

type SendRhythm = { month: number | null; day: number }
const padTwo = (value: number) => String(value).padStart(2, '0')

/** The first sending day after `after`. */
export function getNextSendDay({ month, day }: SendRhythm, after: string): string {
  const step = month === null ? 1 : 12
  const first = `${after.slice(0, 4)}-${month === null ? after.slice(5, 7) : padTwo(month)}-${padTwo(day)}`
  return first > after ? first : addMonths(first, step)
}
