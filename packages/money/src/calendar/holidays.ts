import { addDays, type Day, getWeekday } from './days.ts'
import { computeEasterDay } from './target.ts'

const FIXED_HOLIDAYS = new Set(['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25'])
/** Easter Monday, Ascension, Whit Monday. */
const HOLIDAYS_AFTER_EASTER = [1, 39, 50]

/** The eleven public holidays of France; those of Alsace-Moselle are not among them. */
export function isHoliday(day: Day): boolean {
  if (FIXED_HOLIDAYS.has(day.slice(5))) return true
  const easter = computeEasterDay(Number(day.slice(0, 4)))
  return HOLIDAYS_AFTER_EASTER.some((after) => day === addDays(easter, after))
}

/** Monday to Friday except holidays. */
export const isWorkingDay = (day: Day): boolean => getWeekday(day) <= 5 && !isHoliday(day)

/** This day if it is a working day, else the next one. */
export function getWorkingDayFrom(day: Day): Day {
  let open = day
  while (!isWorkingDay(open)) open = addDays(open, 1)
  return open
}
