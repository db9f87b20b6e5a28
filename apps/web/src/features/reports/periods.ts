import type { ReportSpan } from '@voisol/contract/report-blocks'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { monthLabel } from '../../ui/period/label.ts'
import { todayInParis } from '../../ui/period/period.ts'

const MONTHS = 36
const YEARS = 8

/** The last that is over comes first; the one that goes on is offered after it. */
export function periodsOf(span: ReportSpan): { value: string; label: string }[] {
  const today = todayInParis()
  const year = Number(today.slice(0, 4))
  if (span === 'year')
    return Array.from({ length: YEARS }, (_, at) => ({ value: `${year - at}`, label: `${year - at}` }))
  return Array.from({ length: MONTHS }, (_, at) => addMonths(monthOf(today), -at)).map((day) => ({
    value: day.slice(0, 7),
    label: monthLabel(day),
  }))
}
export const usualPeriod = (span: ReportSpan) => periodsOf(span)[1]?.value ?? ''
export const periodLabel = (period: string) => (period.length === 7 ? monthLabel(`${period}-01`) : period)
export const SUBJECT_WORDS = { operation: 'Opération', participant: 'Participant', producer: 'Producteur' }
