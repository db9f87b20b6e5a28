import { addDays } from '@voisol/money/days'

const LONG = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
const SHORT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const toNoon = (day: string) => new Date(`${day}T12:00:00Z`)

export const formatLongMonth = (day: string) => MONTH.format(toNoon(day))
export const formatLongDay = (day: string) => LONG.format(toNoon(day)).replace(/^1 /, '1er ')
export const formatAxisDay = (day: string) => SHORT.format(toNoon(day))

type Span = { from: string; to: string }
const isWholeMonth = ({ from, to }: Span) =>
  from.endsWith('-01') && to.endsWith('-01') && addDays(from, 32) > to && from < to

/** « mai 2026 », or « du 1er au 14 mai 2026 »: the last day is the one before `to`. */
export function formatPeriod(span: Span): string {
  if (isWholeMonth(span)) return formatLongMonth(span.from)
  return `du ${formatAxisDay(span.from)} au ${formatAxisDay(addDays(span.to, -1))}`
}

/** « FR76 3000 6000 … », in groups of four. */
export const formatIban = (iban: string) => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1\u00a0')
