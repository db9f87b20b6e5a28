import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { daysSearch } from './context.ts'

/** The month of a day, and that day alone. */
export const monthSearch = (day: string) => {
  const from = monthOf(day)
  return daysSearch({ unit: 'month', from, to: addMonths(from, 1) })
}
export const daySearch = (day: string) => daysSearch({ unit: 'day', from: day, to: addDays(day, 1) })
