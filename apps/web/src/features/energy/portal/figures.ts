import type { Summary, Totals } from '@voisol/contract/energy'
import { number, percent } from '../../../lib/format.ts'
import { batteryParts, consumptionParts, productionParts } from '../../../ui/stack/parts.ts'
import type { Mine, Side } from './my-points.ts'

/** The energy that stayed among neighbours: received by a consumer, shared by a producer. */
export const localOf = (totals: Totals, side: Side) => (side === 'consumption' ? totals.allocated : totals.shared)
export const restOf = (totals: Totals, side: Side) => (side === 'consumption' ? totals.complement : totals.surplus)
export const pendingOf = (totals: Totals, side: Side) =>
  side === 'consumption' ? totals.pendingConsumed : totals.pendingProduced
export const rateOf = (totals: Totals, side: Side) =>
  side === 'consumption' ? totals.selfProduction : totals.selfConsumption
export const wholeOf = (totals: Totals, side: Side) => (side === 'consumption' ? totals.consumed : totals.produced)

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

/** « 3 points de plus », « autant »: two shares are compared in points. */
export function pointsWords(now: number, before: number) {
  const points = Math.round((now - before) * 100)
  if (points === 0) return 'autant'
  return `${number(Math.abs(points))}\u00a0${Math.abs(points) < 2 ? 'point' : 'points'} de ${points > 0 ? 'plus' : 'moins'}`
}

export const share = (rate: number) => percent(rate, rate > 0 && rate < 0.01 ? 1 : 0)
