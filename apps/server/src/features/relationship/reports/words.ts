import { frenchDecimal } from '../../../papers/decimals.ts'
import { number, percent } from '../../../pdf/figures.ts'

export const UNKNOWN = '—'
const SMALL = 100_000

/** Watt-hours as whole kWh, or with a tenth where they are few. */
export const kwhFigure = (wh: number) =>
  Math.abs(wh) < SMALL ? frenchDecimal(Math.round(wh / 100), 1) : frenchDecimal(Math.round(wh / 1000), 0)
export const kwhOr = (wh: number | null | undefined) =>
  wh === null || wh === undefined ? UNKNOWN : `${kwhFigure(wh)}\u00a0kWh`
export const centsOr = (cents: number | null | undefined) =>
  cents === null || cents === undefined ? UNKNOWN : `${frenchDecimal(cents, 2)}\u00a0€`
/** A part of one. */
export const rateOr = (rate: number | null | undefined) =>
  rate === null || rate === undefined ? UNKNOWN : percent(rate * 100)
export const kilos = (grams: number) => number(grams / 1000, Math.abs(grams) < SMALL ? 1 : 0)
export const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const MONTHS = ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.']
export const shortMonth = (day: string) => MONTHS[Number(day.slice(5, 7)) - 1] ?? ''
