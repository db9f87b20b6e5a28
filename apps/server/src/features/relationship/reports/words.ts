import { formatFrenchDecimal } from '../../../papers/decimals.ts'
import { formatNumber, formatPercentValue } from '../../../pdf/figures.ts'

export const UNKNOWN_VALUE = '—'
const DECIMAL_THRESHOLD = 100_000

/** Whole kWh, or one decimal for small values. */
export const formatKwhNumber = (wh: number) =>
  Math.abs(wh) < DECIMAL_THRESHOLD
    ? formatFrenchDecimal(Math.round(wh / 100), 1)
    : formatFrenchDecimal(Math.round(wh / 1000), 0)
export const formatKwhOrDash = (wh: number | null | undefined) =>
  wh === null || wh === undefined ? UNKNOWN_VALUE : `${formatKwhNumber(wh)}\u00a0kWh`
export const formatEurosOrDash = (cents: number | null | undefined) =>
  cents === null || cents === undefined ? UNKNOWN_VALUE : `${formatFrenchDecimal(cents, 2)}\u00a0€`
/** A ratio as a percentage, or a dash. */
export const formatRateOrDash = (rate: number | null | undefined) =>
  rate === null || rate === undefined ? UNKNOWN_VALUE : formatPercentValue(rate * 100)
export const formatKilograms = (grams: number) =>
  formatNumber(grams / 1000, Math.abs(grams) < DECIMAL_THRESHOLD ? 1 : 0)
export const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const MONTHS = ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.']
export const formatShortMonth = (day: string) => MONTHS[Number(day.slice(5, 7)) - 1] ?? ''
