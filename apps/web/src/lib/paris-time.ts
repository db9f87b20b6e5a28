import { localTime, offsetAt } from '@voisol/energy/calendar'

const MINUTE_MS = 60_000
const padTwoDigits = (value: number) => String(value).padStart(2, '0')

/** An instant as the clock of Paris shows it, in the way a date field writes it. */
export function formatParisInput(instant: string | null): string {
  if (!instant) return ''
  const { day, minuteOfDay } = localTime(Math.floor(Date.parse(instant) / MINUTE_MS))
  return `${day}T${padTwoDigits(Math.floor(minuteOfDay / 60))}:${padTwoDigits(minuteOfDay % 60)}`
}

/** The other way; an hour that the change of clocks leaves out is the one after it. */
export function parseParisInput(text: string): string | null {
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(`${text.slice(0, 16)}Z`) / MINUTE_MS : Number.NaN
  if (Number.isNaN(local)) return null
  const minute = [local - 120, local - 60].find((one) => offsetAt(one) === local - one) ?? local - 60
  return new Date(minute * MINUTE_MS).toISOString()
}
