import { addDays } from '@voisol/energy/calendar'

/** Days as they are written; a week begins on Monday. */
const utc = (day: string) => new Date(`${day}T12:00:00Z`)
export const mondayOf = (day: string) => addDays(day, -((utc(day).getUTCDay() + 6) % 7))
/** The Monday to look at: on a week-end the coming one. */
export const workMonday = (day: string) => mondayOf([0, 6].includes(utc(day).getUTCDay()) ? addDays(day, 2) : day)
export const weekOf = (day: string) => Array.from({ length: 5 }, (_, index) => addDays(mondayOf(day), index))

const parisDay = new Intl.DateTimeFormat('fr-CA', { timeZone: 'Europe/Paris' })
export const today = () => parisDay.format(new Date())

const shortDay = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })
export const dayName = (day: string) => shortDay.format(utc(day))
