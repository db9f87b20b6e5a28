import { addDays } from '@voisol/money/days'

/**
 * An integer with its decimal point moved left: 1543 with four places is 0.1543. Built from digits, so that no division
 * rounds it.
 */
export function formatDecimal(units: number, places: number): string {
  if (!Number.isSafeInteger(units)) throw new RangeError(`not an integer: ${units}`)
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const sign = units < 0 ? '-' : ''
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The same in French notation: 12 345,67, with a true minus sign. */
export function formatFrenchDecimal(units: number, places: number): string {
  const [whole = '', part] = formatDecimal(Math.abs(units), places).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0')
  return `${units < 0 ? '−' : ''}${grouped}${part === undefined ? '' : `,${part}`}`
}

export const formatAmount = (cents: number) => formatDecimal(cents, 2)
export const formatEuros = (cents: number) => `${formatFrenchDecimal(cents, 2)}\u00a0€`
/** Watt-hours as kWh with three decimals. */
export const formatWhAsKwh = (wh: number) => `${formatFrenchDecimal(wh, 3)}\u00a0kWh`
/** 1/10 000 € per kWh in French notation: 15,43 c€/kWh. */
export const formatPricePerKwh = (price: number) => `${formatFrenchDecimal(price, 2)}\u00a0c€/kWh`
/** 1/100 %: 20 %, 5,5 %. */
export const formatBasisPoints = (bp: number) => `${formatFrenchDecimal(bp, 2).replace(/,?0+$/, '')}\u00a0%`

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
