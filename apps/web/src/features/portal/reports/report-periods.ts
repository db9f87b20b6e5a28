import type { ReportSpan } from '@voisol/contract/report-blocks'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { getTodayInParis } from '../../../components/period/period.ts'
import { formatMonthYear } from '../../../components/period/period-labels.ts'

const OFFERED_MONTHS = 36
const OFFERED_YEARS = 8

/** The last that is over comes first; the one that goes on is offered after it. */
export function buildPeriodOptions(span: ReportSpan): { value: string; label: string }[] {
  const today = getTodayInParis()
  const year = Number(today.slice(0, 4))
  if (span === 'year')
    return Array.from({ length: OFFERED_YEARS }, (_, at) => ({ value: `${year - at}`, label: `${year - at}` }))
  return Array.from({ length: OFFERED_MONTHS }, (_, at) => addMonths(monthOf(today), -at)).map((day) => ({
    value: day.slice(0, 7),
    label: formatMonthYear(day),
  }))
}
export const getUsualPeriod = (span: ReportSpan) => buildPeriodOptions(span)[1]?.value ?? ''
export const formatMonthOrYear = (period: string) => (period.length === 7 ? formatMonthYear(`${period}-01`) : period)

export const MONTH_NAMES = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
]
