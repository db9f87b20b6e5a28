import { centsPerKwh, euros, frenchDecimal } from '../../../papers/decimals.ts'
import type { Numbers } from './numbers.ts'
import type { Known } from './prices.ts'

const kwh = (wh: number) => `${frenchDecimal(Math.round(wh / 100), 1)}\u00a0kWh`
const percent = (part: number) => `${frenchDecimal(Math.round(part * 1000), 1)}\u00a0%`
const UNKNOWN = 'prix inconnu'

/** How the euros come about, with today's prices; they may have moved since the night. */
export function formulaOf({ worth, facts }: Numbers, wh: number | null, cents: number | null, prices: Known): string {
  const { local, surplus, supplier } = prices
  if (worth === 'own') return `Somme des gains d’un an de chacun = ${euros(cents ?? 0)}`
  if (worth === 'none' || wh === null) return 'Sans montant\u00a0: ce constat ne compte pas d’énergie.'
  const price = (value: number | null) => (value === null ? UNKNOWN : centsPerKwh(value))
  const equals = cents === null ? `\u00a0: ${UNKNOWN}, en kWh seulement` : ` = ${euros(cents)}`
  if (worth === 'plant') {
    const share = Number(facts.share ?? 0)
    return `${kwh(wh)} × (${percent(share)} partagés à ${price(local)} + ${percent(1 - share)} vendus à ${price(surplus)})${equals}`
  }
  if (worth === 'gap') return `${kwh(wh)} × (${price(local)} − ${price(surplus)})${equals}`
  return `${kwh(wh)} × ${price(worth === 'local' ? local : supplier)}${equals}`
}
