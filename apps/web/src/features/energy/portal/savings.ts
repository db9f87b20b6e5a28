import type { Totals } from '@voisol/contract/energy'
import { priceOf } from './figures.ts'

/** Prices in 1/10 000 of a euro per kWh, before tax; the saving in cents. */
export type Saving = { localPrice: number; supplierPrice: number; cents: number }

/** What the local energy would have cost at the supplier's price, less what it costs at the local one. */
export function savingOf(totals: Totals, supplierPrice: number | null): Saving | null {
  const localPrice = priceOf(totals, 'consumption')
  if (localPrice === null || totals.valueCents === null || supplierPrice === null) return null
  return { localPrice, supplierPrice, cents: (totals.allocated * supplierPrice) / 100_000 - totals.valueCents }
}

const MOST = 20_000

/** What somebody reads on their bill, « 0,2016 » euros: from one hundredth of a cent to two euros. */
export function typedPrice(value: number | null): number | null {
  const price = value === null ? null : Math.round(value * 10_000)
  return price !== null && price > 0 && price <= MOST ? price : null
}
