/** Days as they are written, 2026-03-12: a calendar needs no hours and no zone. */
const utc = (day: string) => new Date(`${day}T12:00:00Z`)
const text = (date: Date) => date.toISOString().slice(0, 10)

export function addDays(day: string, count: number) {
  const date = utc(day)
  date.setUTCDate(date.getUTCDate() + count)
  return text(date)
}

export const monthOf = (day: string) => day.slice(0, 7)

export function addMonths(month: string, count: number) {
  const date = utc(`${month}-01`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return monthOf(text(date))
}

/** The weeks of a month, Monday first; null outside it. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`
  const lead = (utc(first).getUTCDay() + 6) % 7
  const cells: (string | null)[] = Array.from({ length: lead }, () => null)
  for (let day = first; monthOf(day) === month; day = addDays(day, 1)) cells.push(day)
  while (cells.length % 7 !== 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const made = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', ...options })
  return (day: string) => made.format(utc(day))
}
export const dayNumber = format({ day: 'numeric' })
export const longDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const monthAndYear = format({ month: 'long', year: 'numeric' })
export const monthName = (month: string) => monthAndYear(`${month}-01`)
