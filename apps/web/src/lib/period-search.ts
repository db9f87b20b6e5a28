import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { buildPeriodSearch } from './period-context.ts'

/** The month of a day, and that day alone. */
export const buildMonthSearch = (day: string) => {
  const from = monthOf(day)
  return buildPeriodSearch({ unit: 'month', from, to: addMonths(from, 1) })
}
export const buildDaySearch = (day: string) => buildPeriodSearch({ unit: 'day', from: day, to: addDays(day, 1) })
