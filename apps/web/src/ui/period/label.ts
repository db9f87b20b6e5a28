import { addDays } from '@voisol/energy/calendar'
import type { Period } from './period.ts'

const createPartFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', ...options })
  return (day: string) => format.format(new Date(`${day}T00:00:00Z`))
}
const formatWeekday = createPartFormatter({ weekday: 'long' })
const formatMonthName = createPartFormatter({ month: 'long' })
const formatMonthShort = createPartFormatter({ month: 'short' })
const getYear = (day: string) => day.slice(0, 4)
const formatDayNumber = (day: string) => (day.endsWith('-01') ? '1er' : String(Number(day.slice(8))))

export const formatLongDay = (day: string) => `${formatDayNumber(day)}\u00a0${formatMonthName(day)} ${getYear(day)}`
export const formatFullDay = (day: string) => `${formatWeekday(day)} ${formatLongDay(day)}`
export const formatMonthYear = (day: string) => `${formatMonthName(day)} ${getYear(day)}`

/** For an axis: « 15/11 », « nov. ». */
export const formatAxisDay = (day: string) => `${day.slice(8)}/${day.slice(5, 7)}`
export const formatShortMonth = formatMonthShort

/** « du 9 au 15 novembre 2026 »: what both ends share is said once. */
export function formatDayRange(first: string, last: string) {
  if (first === last) return `le ${formatLongDay(first)}`
  const start =
    getYear(first) !== getYear(last)
      ? formatLongDay(first)
      : first.slice(0, 7) !== last.slice(0, 7)
        ? `${formatDayNumber(first)}\u00a0${formatMonthName(first)}`
        : formatDayNumber(first)
  return `du ${start} au ${formatLongDay(last)}`
}

/** A period in words, to stand inside a sentence. */
export function formatPeriodLabel({ unit, from, to }: Period) {
  const last = addDays(to, -1)
  const labels = {
    day: () => formatFullDay(from),
    week: () => `semaine ${formatDayRange(from, last)}`,
    month: () => formatMonthYear(from),
    year: () => `année ${getYear(from)}`,
    range: () => formatDayRange(from, last),
  }
  return labels[unit]()
}

/** The same, to stand alone as a title. */
export const formatPeriodTitle = (period: Period) => {
  const label = formatPeriodLabel(period)
  return label.slice(0, 1).toUpperCase() + label.slice(1)
}
