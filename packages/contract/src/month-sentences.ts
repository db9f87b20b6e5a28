import type { EnergySummary, PeriodEnergyTotals } from './energy.ts'
import { formatEnergy, formatMoney, formatNumber, formatPercent } from './number-formats.ts'
import type { OwnSide, Side } from './own-side.ts'
import { getSideTexts } from './side-texts.ts'

/** The energy that stayed among neighbours: received by a consumer, shared by a producer. */
export const getLocalEnergy = (totals: PeriodEnergyTotals, side: Side) =>
  side === 'consumption' ? totals.allocated : totals.shared
export const getRemainingEnergy = (totals: PeriodEnergyTotals, side: Side) =>
  side === 'consumption' ? totals.complement : totals.surplus
export const getPendingEnergy = (totals: PeriodEnergyTotals, side: Side) =>
  side === 'consumption' ? totals.pendingConsumed : totals.pendingProduced
export const getLocalRate = (totals: PeriodEnergyTotals, side: Side) =>
  side === 'consumption' ? totals.selfProduction : totals.selfConsumption
export const getTotalEnergy = (totals: PeriodEnergyTotals, side: Side) =>
  side === 'consumption' ? totals.consumed : totals.produced

export const formatRoundedShare = (rate: number) => formatPercent(rate, rate > 0 && rate < 0.01 ? 1 : 0)

/** « 3 points de plus », « autant »: two shares are compared in points. */
export function describePointDifference(now: number, before: number) {
  const points = Math.round((now - before) * 100)
  if (points === 0) return 'autant'
  return `${formatNumber(Math.abs(points))}\u00a0${Math.abs(points) < 2 ? 'point' : 'points'} de ${points > 0 ? 'plus' : 'moins'}`
}

/** Two shares: the same days of the year before, which had the same sun, or those just before, as `just` names them. */
export function describeRateChange(
  { current, lastYear, previous, from }: EnergySummary,
  side: Side,
  just: string,
): string {
  const [now, then, last] = [current, lastYear, previous].map((totals) => totals && getLocalRate(totals, side))
  const [before, than] =
    typeof then === 'number' ? [then, `aux mêmes jours de ${Number(from.slice(0, 4)) - 1}`] : [last, just]
  if (typeof now !== 'number' || typeof before !== 'number') return ''
  const words = describePointDifference(now, before)
  return words === 'autant' ? `C’est autant qu’${than}.` : `C’est ${words} qu’${than}.`
}

/** « …, 18 € de moins que chez votre fournisseur seul. »: said in the same breath where both prices are known. */
export const describeSaving = (cents: number | undefined) =>
  cents === undefined || cents === 0
    ? '.'
    : `, ${formatMoney(Math.abs(cents))} de ${cents > 0 ? 'moins' : 'plus'} que chez votre fournisseur seul.`

type SideSubject = Pick<OwnSide, 'side' | 'battery'>

/** Before a run nothing is known of what was shared. */
export const describeTotal = ({ current }: EnergySummary, mine: SideSubject, { when }: { when: string }) =>
  `${formatEnergy(getTotalEnergy(current, mine.side))} ${getSideTexts(mine).counted} ${when}.`

/** How am I doing, in one sentence. */
export function describeMonth(summary: EnergySummary, mine: SideSubject, month: { when: string }, saved?: number) {
  const rate = getLocalRate(summary.current, mine.side)
  if (rate === null) return describeTotal(summary, mine, month)
  return `${formatRoundedShare(rate)} ${getSideTexts(mine).answer(month.when)}${describeSaving(saved)}`
}
