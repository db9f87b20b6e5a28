import type { EnergySummary, PeriodEnergyTotals } from '@voisol/contract/energy'
import { getLocalEnergy, getPendingEnergy, getRemainingEnergy } from '@voisol/contract/month-words'
import { buildBatteryParts, buildConsumptionParts, buildProductionParts } from '../../../ui/stack/parts.ts'
import type { OwnSide, Side } from './my-points.ts'

/** What one drew or made, in parts that make it: what is in no run yet is neither local nor the rest. */
export const buildEnergyParts = (totals: PeriodEnergyTotals, { side, battery }: Pick<OwnSide, 'side' | 'battery'>) => {
  if (battery)
    return buildBatteryParts(side, {
      local: getLocalEnergy(totals, side),
      rest: getRemainingEnergy(totals, side),
      pending: getPendingEnergy(totals, side),
    })
  return side === 'consumption' ? buildConsumptionParts(totals) : buildProductionParts(totals)
}

export const getSavedGramsPerKwh = ({ co2 }: EnergySummary) => co2.gridGramsPerKwh - co2.solarGramsPerKwh
/** Counted from the energy of one side: the totals of somebody on both sides hold both. */
export const computeSavedGrams = (summary: EnergySummary, side: Side) =>
  (getLocalEnergy(summary.current, side) / 1000) * getSavedGramsPerKwh(summary)

/** 1/10 000 of a euro per kWh, as the operation's price is written; null where nothing was local or no price is known. */
export const getLocalPrice = (totals: PeriodEnergyTotals, side: Side) =>
  getLocalEnergy(totals, side) > 0 ? totals.unitPrice : null
