import { localTime } from '@voisol/energy/calendar'

export const NBSP = '\u00a0'
export const quoteText = (text: string) => `«${NBSP}${text.slice(0, 40)}${text.length > 40 ? '…' : ''}${NBSP}»`
export const formatFrenchDay = (day: string) => `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`
const padTwoDigits = (value: number) => String(value).padStart(2, '0')
export const formatFrenchClock = (minutes: number) =>
  `${padTwoDigits(Math.floor(minutes / 60))}:${padTwoDigits(minutes % 60)}`

/** An instant on the wall clock of Paris. */
export function formatFrenchTime(minute: number): string {
  const { day, minuteOfDay } = localTime(minute)
  return `${formatFrenchDay(day)} à ${formatFrenchClock(minuteOfDay)}`
}

const NUMBER_FORMAT = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 3 })
export const formatFrenchNumber = (value: number) => NUMBER_FORMAT.format(value)
/** 0 and 1 are singular. */
export const formatCount = (count: number, one: string, many: string) =>
  `${formatFrenchNumber(count)} ${Math.abs(count) < 2 ? one : many}`

/** Lower case without accents, for the names of columns and sheets. */
export const foldText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim()

const MONTH_FORMAT = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
export const formatFrenchMonth = (day: string) => MONTH_FORMAT.format(new Date(`${day}T00:00:00Z`))
/** « d’avril », « de mars ». */
export const formatMonthWithDe = (day: string) => {
  const month = formatFrenchMonth(day)
  return /^[aoéeiu]/.test(month) ? `d’${month}` : `de ${month}`
}

/** Rounded down, so that an incomplete part is never shown as 100 %. */
export const formatPercent = (part: number) => `${String(Math.floor(part * 1000) / 10).replace('.', ',')}${NBSP}%`
