import type { EnergySummary } from '@voisol/contract/energy'
import { getLocalRate, getTotalEnergy } from '@voisol/contract/month-words'
import { getSideTexts } from '@voisol/contract/side-words'
import { formatEnergy, formatMoney } from '../../../lib/format.ts'
import { cardClass } from '../../../ui/card.tsx'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { cx } from '../../../ui/cx.ts'
import { Figure } from '../../../ui/figure.tsx'
import { computeSavedGrams } from './figures.ts'
import type { OwnSide } from './my-points.ts'

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
