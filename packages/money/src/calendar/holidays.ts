import { addDays, type Day, weekdayOf } from './days.ts'
import { easterOf } from './target.ts'

const FIXED = new Set(['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25'])
/** Easter Monday, Ascension, Whit Monday. */
const AFTER_EASTER = [1, 39, 50]

/** The eleven public holidays of France; those of Alsace-Moselle are not among them. */
export function isHoliday(day: Day): boolean {
  if (FIXED.has(day.slice(5))) return true
  const easter = easterOf(Number(day.slice(0, 4)))
  return AFTER_EASTER.some((after) => day === addDays(easter, after))
}

/** Monday to Friday but for holidays. */
export const isWorkingDay = (day: Day): boolean => weekdayOf(day) <= 5 && !isHoliday(day)

/** The first working day from this one on. */
export function workingDayFrom(day: Day): Day {
  let open = day
  while (!isWorkingDay(open)) open = addDays(open, 1)
  return open
}
