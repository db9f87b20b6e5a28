import { addDays } from '@voisol/money/days'

const LONG = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
const SHORT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const noon = (day: string) => new Date(`${day}T12:00:00Z`)

export const monthWords = (day: string) => MONTH.format(noon(day))
export const longDay = (day: string) => LONG.format(noon(day)).replace(/^1 /, '1er ')
export const shortDay = (day: string) => SHORT.format(noon(day))

type Span = { from: string; to: string }
const isMonth = ({ from, to }: Span) =>
  from.endsWith('-01') && to.endsWith('-01') && addDays(from, 32) > to && from < to

/** « mai 2026 », or « du 1er au 14 mai 2026 »: the last day is the one before `to`. */
export function spanWords(span: Span): string {
  if (isMonth(span)) return monthWords(span.from)
  return `du ${shortDay(span.from)} au ${shortDay(addDays(span.to, -1))}`
}

/** « FR76 3000 6000 … », as it is read aloud. */
export const grouped = (iban: string) => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1\u00a0')
