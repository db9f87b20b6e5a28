import { z } from 'zod'
import { formatNumber, parseNumber } from './format.ts'

/** A price of energy is kept in ten-thousandths of a euro and told in c€/kWh, on every screen: 1 250 is « 12,5 c€/kWh ». */
const STORED_PER_CENT = 100
const MAX_PRICE_CENTS = 1000
/** Outside of these a price is rather a slip of the unit: it is asked about, not refused. */
const USUAL_PRICE_CENTS = { least: 2, most: 40 }
const PRICE_UNIT = 'c€/kWh'
export const PRICE_ERROR = `Un prix en ${PRICE_UNIT} est attendu, avec deux décimales au plus, par exemple 12,5.`

const formatPriceCents = (stored: number) => formatNumber(stored / STORED_PER_CENT)
export const formatPrice = (stored: number) => `${formatPriceCents(stored)}\u00a0${PRICE_UNIT}`
/** What a field shows of a stored price. */
export const formatPriceInput = (stored: number | null) =>
  stored === null ? '' : String(stored / STORED_PER_CENT).replace('.', ',')

/** What is stored of a typed price; null where it is none, or finer than what can be stored. */
export function parsePrice(text: string): number | null {
  const cents = parseNumber(text.replace(/\s*c?€(\/kWh)?\s*$/i, ''))
  if (cents === null || cents < 0 || cents > MAX_PRICE_CENTS) return null
  const stored = Math.round(cents * STORED_PER_CENT)
  return Math.abs(stored - cents * STORED_PER_CENT) < 1e-6 ? stored : null
}

export const priceInputSchema = z.string().transform((text, context) => {
  const stored = parsePrice(text)
  if (stored !== null) return stored
  context.addIssue({ code: 'custom', message: PRICE_ERROR })
  return z.NEVER
})

/** Why a price deserves a second look; null where it is usual, or not yet one. */
export function getPriceWarning(text: string): string | null {
  const stored = parsePrice(text)
  if (text.trim() === '' || stored === null) return null
  const cents = stored / STORED_PER_CENT
  if (cents >= USUAL_PRICE_CENTS.least && cents <= USUAL_PRICE_CENTS.most) return null
  const euros = cents > 0 && cents * 100 >= USUAL_PRICE_CENTS.least && cents * 100 <= USUAL_PRICE_CENTS.most
  const suggestion = euros ? ` Vouliez-vous dire ${formatPrice(stored * 100)}\u00a0?` : ''
  return `${formatPrice(stored)} est inhabituel\u00a0: un prix se situe d’ordinaire entre ${USUAL_PRICE_CENTS.least} et ${USUAL_PRICE_CENTS.most}\u00a0${PRICE_UNIT}.${suggestion}`
}
