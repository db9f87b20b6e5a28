import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { computeSavedCents } from '@voisol/money/worth'
import { getLocalPrice } from './figures.ts'

/** Prices in 1/10 000 of a euro per kWh, before tax; the saving in whole cents. */
export type Saving = { localPrice: number; supplierPrice: number; cents: number }

/** What the local energy would have cost at the supplier's price, less what it costs at the local one. */
export function computeSaving(totals: PeriodEnergyTotals, supplierPrice: number | null): Saving | null {
  const localPrice = getLocalPrice(totals, 'consumption')
  if (localPrice === null || totals.valueCents === null || supplierPrice === null) return null
  return {
    localPrice,
    supplierPrice,
    cents: computeSavedCents(Math.round(totals.allocated * 60), supplierPrice, totals.valueCents),
  }
}
