import { computeEnergyCents } from '@voisol/money/amounts'
import type { FindingNumbers } from './numbers.ts'
import type { EnergyPrices } from './prices.ts'

type ValuedFinding = { wh: number | null; numbers: FindingNumbers }

/** Rounds both parts before adding them, so that shown figures add up. */
function computePlantCents(wh: number, share: number, { local, surplus }: EnergyPrices): number | null {
  if (local === null || surplus === null) return null
  const shared = Math.round(wh * share)
  return computeEnergyCents(shared, local) + computeEnergyCents(wh - shared, surplus)
}

/** The value of a finding in cents at the day's prices; null when a price is unknown. */
export function computeFindingCents({ wh, numbers }: ValuedFinding, prices: EnergyPrices): number | null {
  const { worth, facts } = numbers
  if (worth === 'own') return Number(facts.cents ?? 0)
  if (wh === null || worth === 'none') return null
  const { local, surplus, supplier } = prices
  if (worth === 'plant') return computePlantCents(wh, Number(facts.share ?? 0), prices)
  if (worth === 'gap')
    return local === null || surplus === null ? null : computeEnergyCents(wh, local) - computeEnergyCents(wh, surplus)
  const price = worth === 'local' ? local : supplier
  return price === null ? null : computeEnergyCents(wh, price)
}
