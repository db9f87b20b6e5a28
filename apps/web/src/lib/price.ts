import { z } from 'zod'
import { number, parseNumber } from './format.ts'

/** A price of energy is kept in ten-thousandths of a euro and told in c€/kWh, on every screen: 1 250 is « 12,5 c€/kWh ». */
const STORED_PER_CENT = 100
const MOST = 1000
/** Outside of these a price is rather a slip of the unit: it is asked about, not refused. */
const USUAL = { least: 2, most: 40 }
const UNIT = 'c€/kWh'
export const PRICE_ERROR = `Un prix en ${UNIT} est attendu, avec deux décimales au plus, par exemple 12,5.`

const inCents = (stored: number) => number(stored / STORED_PER_CENT)
export const price = (stored: number) => `${inCents(stored)}\u00a0${UNIT}`
/** What a field shows of a stored price. */
export const priceText = (stored: number | null) =>
  stored === null ? '' : String(stored / STORED_PER_CENT).replace('.', ',')

/** What is stored of a typed price; null where it is none, or finer than what can be stored. */
export function parsePrice(text: string): number | null {
  const cents = parseNumber(text.replace(/\s*c?€(\/kWh)?\s*$/i, ''))
  if (cents === null || cents < 0 || cents > MOST) return null
  const stored = Math.round(cents * STORED_PER_CENT)
  return Math.abs(stored - cents * STORED_PER_CENT) < 1e-6 ? stored : null
}

export const typedPrice = z.string().transform((text, context) => {
  const stored = parsePrice(text)
  if (stored !== null) return stored
  context.addIssue({ code: 'custom', message: PRICE_ERROR })
  return z.NEVER
})

/** Why a price deserves a second look; null where it is usual, or not yet one. */
export function priceDoubt(text: string): string | null {
  const stored = parsePrice(text)
  if (text.trim() === '' || stored === null) return null
  const cents = stored / STORED_PER_CENT
  if (cents >= USUAL.least && cents <= USUAL.most) return null
  const euros = cents > 0 && cents * 100 >= USUAL.least && cents * 100 <= USUAL.most
  const meant = euros ? ` Vouliez-vous dire ${price(stored * 100)}\u00a0?` : ''
  return `${price(stored)} est inhabituel\u00a0: un prix se situe d’ordinaire entre ${USUAL.least} et ${USUAL.most}\u00a0${UNIT}.${meant}`
}
