import { energyCents } from '@voisol/money/amounts'
import type { Numbers } from './numbers.ts'
import type { Known } from './prices.ts'

type Given = { wh: number | null; numbers: Numbers }

/** Both parts are rounded before they are added: what is shown adds up. */
function plantCents(wh: number, share: number, { local, surplus }: Known): number | null {
  if (local === null || surplus === null) return null
  const shared = Math.round(wh * share)
  return energyCents(shared, local) + energyCents(wh - shared, surplus)
}

/** Cents of a finding by the prices of the day; null where one of them is not known. */
export function centsOf({ wh, numbers }: Given, prices: Known): number | null {
  const { worth, facts } = numbers
  if (worth === 'own') return Number(facts.cents ?? 0)
  if (wh === null || worth === 'none') return null
  const { local, surplus, supplier } = prices
  if (worth === 'plant') return plantCents(wh, Number(facts.share ?? 0), prices)
  if (worth === 'gap')
    return local === null || surplus === null ? null : energyCents(wh, local) - energyCents(wh, surplus)
  const price = worth === 'local' ? local : supplier
  return price === null ? null : energyCents(wh, price)
}
