import { addDays, type Day, getWeekday } from './days.ts'

/** Gregorian Easter Sunday (Meeus, Jones and Butcher). */
export function computeEasterDay(year: number): Day {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  const date = (h + l - 7 * m + 33 * month + 19) % 32
  return `${year}-0${month}-${String(date).padStart(2, '0')}`
}

const FIXED_CLOSING_DAYS = new Set(['01-01', '05-01', '12-25', '12-26'])

/**
 * Open days of TARGET, the settlement system of euro banks: not weekends, 1 January, Good Friday, Easter Monday, 1 May,
 * 25 or 26 December.
 */
export function isTargetDay(day: Day): boolean {
  if (getWeekday(day) > 5 || FIXED_CLOSING_DAYS.has(day.slice(5))) return false
  const easter = computeEasterDay(Number(day.slice(0, 4)))
  return day !== addDays(easter, -2) && day !== addDays(easter, 1)
}

/** This day if it is open, else the next open day. */
export function getTargetDayFrom(day: Day): Day {
  let open = day
  while (!isTargetDay(open)) open = addDays(open, 1)
  return open
}

export function getTargetDayBefore(day: Day, count: number): Day {
  let open = day
  for (let left = count; left > 0; ) {
    open = addDays(open, -1)
    if (isTargetDay(open)) left--
  }
  return open
}

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
