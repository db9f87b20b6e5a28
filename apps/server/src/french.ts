import { localTime } from '@voisol/energy/calendar'

export const NBSP = '\u00a0'
export const quoted = (text: string) => `«${NBSP}${text.slice(0, 40)}${text.length > 40 ? '…' : ''}${NBSP}»`
export const frenchDay = (day: string) => `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`
const two = (value: number) => String(value).padStart(2, '0')
export const frenchClock = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

/** An instant on the wall clock of Paris. */
export function frenchTime(minute: number): string {
  const { day, minuteOfDay } = localTime(minute)
  return `${frenchDay(day)} à ${frenchClock(minuteOfDay)}`
}

const NUMBER = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 3 })
export const frenchNumber = (value: number) => NUMBER.format(value)
/** 0 and 1 are singular. */
export const plural = (count: number, one: string, many: string) =>
  `${frenchNumber(count)} ${Math.abs(count) < 2 ? one : many}`

/** Lower case without accents, for the names of columns and sheets. */
export const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim()

const MONTH = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
export const frenchMonth = (day: string) => MONTH.format(new Date(`${day}T00:00:00Z`))
/** « d’avril », « de mars ». */
export const ofMonth = (day: string) => {
  const month = frenchMonth(day)
  return /^[aoéeiu]/.test(month) ? `d’${month}` : `de ${month}`
}

/** Rounded down: what is not whole never reads 100 %. */
export const percent = (part: number) => `${String(Math.floor(part * 1000) / 10).replace('.', ',')}${NBSP}%`
