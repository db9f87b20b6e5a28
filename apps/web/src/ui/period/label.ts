import { addDays } from '@voisol/energy/calendar'
import type { Period } from './period.ts'

const part = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', ...options })
  return (day: string) => format.format(new Date(`${day}T00:00:00Z`))
}
const weekday = part({ weekday: 'long' })
const monthName = part({ month: 'long' })
const monthShort = part({ month: 'short' })
const year = (day: string) => day.slice(0, 4)
const dayNumber = (day: string) => (day.endsWith('-01') ? '1er' : String(Number(day.slice(8))))

export const dayLabel = (day: string) => `${dayNumber(day)}\u00a0${monthName(day)} ${year(day)}`
export const fullDayLabel = (day: string) => `${weekday(day)} ${dayLabel(day)}`
export const monthLabel = (day: string) => `${monthName(day)} ${year(day)}`

/** For an axis: « 15/11 », « nov. ». */
export const shortDay = (day: string) => `${day.slice(8)}/${day.slice(5, 7)}`
export const shortMonth = monthShort

/** « du 9 au 15 novembre 2026 »: what both ends share is said once. */
export function daysLabel(first: string, last: string) {
  if (first === last) return `le ${dayLabel(first)}`
  const start =
    year(first) !== year(last)
      ? dayLabel(first)
      : first.slice(0, 7) !== last.slice(0, 7)
        ? `${dayNumber(first)}\u00a0${monthName(first)}`
        : dayNumber(first)
  return `du ${start} au ${dayLabel(last)}`
}

/** A period in words, to stand inside a sentence. */
export function periodLabel({ unit, from, to }: Period) {
  const last = addDays(to, -1)
  const labels = {
    day: () => fullDayLabel(from),
    week: () => `semaine ${daysLabel(from, last)}`,
    month: () => monthLabel(from),
    year: () => `année ${year(from)}`,
    range: () => daysLabel(from, last),
  }
  return labels[unit]()
}

/** The same, to stand alone as a title. */
export const periodTitle = (period: Period) => {
  const label = periodLabel(period)
  return label.slice(0, 1).toUpperCase() + label.slice(1)
}
