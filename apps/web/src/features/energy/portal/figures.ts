import type { Summary, Totals } from '@voisol/contract/energy'
import { localOf, pendingOf, restOf } from '@voisol/contract/month-words'
import { batteryParts, consumptionParts, productionParts } from '../../../ui/stack/parts.ts'
import type { Mine, Side } from './my-points.ts'

/** What one drew or made, in parts that make it: what is in no run yet is neither local nor the rest. */
export const partsOf = (totals: Totals, { side, battery }: Pick<Mine, 'side' | 'battery'>) => {
  if (battery)
    return batteryParts(side, {
      local: localOf(totals, side),
      rest: restOf(totals, side),
      pending: pendingOf(totals, side),
    })
  return side === 'consumption' ? consumptionParts(totals) : productionParts(totals)
}

export const savedPerKwh = ({ co2 }: Summary) => co2.gridGramsPerKwh - co2.solarGramsPerKwh
/** Counted from the energy of one side: the totals of somebody on both sides hold both. */
export const gramsOf = (summary: Summary, side: Side) => (localOf(summary.current, side) / 1000) * savedPerKwh(summary)

/** 1/10 000 of a euro per kWh, as the operation's price is written; null where nothing was local or no price is known. */
export const priceOf = (totals: Totals, side: Side) => (localOf(totals, side) > 0 ? totals.unitPrice : null)
