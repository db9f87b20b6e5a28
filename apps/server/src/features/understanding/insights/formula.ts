import { formatEuros, formatFrenchDecimal, formatPricePerKwh } from '../../../papers/decimals.ts'
import type { FindingNumbers } from './numbers.ts'
import type { EnergyPrices } from './prices.ts'

const formatKwh = (wh: number) => `${formatFrenchDecimal(Math.round(wh / 100), 1)}\u00a0kWh`
const formatPercent = (part: number) => `${formatFrenchDecimal(Math.round(part * 1000), 1)}\u00a0%`
const UNKNOWN_PRICE_LABEL = 'prix inconnu'

/** Explains the euros with today's prices, which may have changed since the night. */
export function describeFormula(
  { worth, facts }: FindingNumbers,
  wh: number | null,
  cents: number | null,
  prices: EnergyPrices,
): string {
  const { local, surplus, supplier } = prices
  if (worth === 'own') return `Somme des gains d’un an de chacun = ${formatEuros(cents ?? 0)}`
  if (worth === 'none' || wh === null) return 'Sans montant\u00a0: ce constat ne compte pas d’énergie.'
  const price = (value: number | null) => (value === null ? UNKNOWN_PRICE_LABEL : formatPricePerKwh(value))
  const equals = cents === null ? `\u00a0: ${UNKNOWN_PRICE_LABEL}, en kWh seulement` : ` = ${formatEuros(cents)}`
  if (worth === 'plant') {
    const share = Number(facts.share ?? 0)
    return `${formatKwh(wh)} × (${formatPercent(share)} partagés à ${price(local)} + ${formatPercent(1 - share)} vendus à ${price(surplus)})${equals}`
  }
  if (worth === 'gap') return `${formatKwh(wh)} × (${price(local)} − ${price(surplus)})${equals}`
  return `${formatKwh(wh)} × ${price(worth === 'local' ? local : supplier)}${equals}`
}
