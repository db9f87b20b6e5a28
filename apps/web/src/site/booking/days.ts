import { addDays, monthOf } from '@voisol/energy/calendar'

/** Days as they are written, 2026-03-12; a month is its first day. */
const toUtcNoon = (day: string) => new Date(`${day}T12:00:00Z`)

/** The weeks of a month, Monday first; null outside it. */
export function listMonthWeeks(month: string): (string | null)[][] {
  const lead = (toUtcNoon(month).getUTCDay() + 6) % 7
  const cells: (string | null)[] = Array.from({ length: lead }, () => null)
  for (let day = month; monthOf(day) === month; day = addDays(day, 1)) cells.push(day)
  while (cells.length % 7 !== 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

const createDayFormatter = (options: Intl.DateTimeFormatOptions) => {
  const made = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', ...options })
  return (day: string) => made.format(toUtcNoon(day))
}
export const formatDayOfMonth = createDayFormatter({ day: 'numeric' })
export const formatBookingDay = createDayFormatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
export const formatCalendarMonth = createDayFormatter({ month: 'long', year: 'numeric' })
