import type { EnergySummary, PeriodEnergyTotals } from '@voisol/contract/energy'
import {
  getLocalEnergy,
  getLocalRate,
  getPendingEnergy,
  getRemainingEnergy,
  getTotalEnergy,
} from '@voisol/contract/month-sentences'
import { getSideTexts } from '@voisol/contract/side-texts'
import { cardClass, Figure } from '../../../../components/card.tsx'
import { measures } from '../../../../components/curve-explorer/energy-measure.ts'
import { cx } from '../../../../components/cx.ts'
import {
  buildBatteryParts,
  buildConsumptionParts,
  buildProductionParts,
} from '../../../../components/stack/energy-parts.ts'
import { formatEnergy, formatMoney } from '../../../../lib/format.ts'
import type { OwnSide, Side } from './my-points.ts'

type FigureLine = { label: string; figure: string; note?: string }

/** What the headline above does not say already: each figure stands once on a page. */
export function buildFigureLines(summary: EnergySummary, mine: OwnSide): FigureLine[] {
  const { side, valued } = mine
  const { current } = summary
  // Before a run nothing is known of what was shared, and the headline is the whole.
  if (getLocalRate(current, side) === null) return []
  const worth = side === 'production' && valued ? current.valueCents : null
  return [
    { label: getSideTexts(mine).whole, figure: formatEnergy(getTotalEnergy(current, side)) },
    // What a battery stores spares nothing until somebody receives it.
    ...(mine.battery && side === 'consumption'
      ? []
      : [{ label: 'CO₂ évité', figure: measures.carbon.text(computeSavedGrams(summary, side)) }]),
    ...(worth === null
      ? []
      : [
          {
            label: 'Valeur',
            figure: formatMoney(worth),
            note: 'De l’énergie partagée, au prix de l’opération, hors taxes.',
          },
        ]),
  ]
}

export const FigureLines = ({ lines, label }: { lines: FigureLine[]; label: string }) =>
  lines.length > 0 && (
    <dl
      aria-label={label}
      className={cx(
        cardClass,
        'grid grid-cols-2 gap-x-6 gap-y-6 p-5 sm:grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] sm:p-6',
      )}
    >
      {lines.map(({ label, figure, note }) => (
        <div key={label} className="min-w-0">
          <dt className="text-[0.9375rem] leading-5 text-ink-soft">{label}</dt>
          <dd className="mt-1.5">
            <Figure className="text-2xl font-semibold tracking-tight">{figure}</Figure>
            {note && <span className="mt-0.5 block text-[0.8125rem] text-ink-soft">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )

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
