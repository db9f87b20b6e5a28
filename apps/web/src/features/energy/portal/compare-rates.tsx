import type { EnergySummary } from '@voisol/contract/energy'
import { describePointDifference, formatRoundedShare, getLocalRate } from '@voisol/contract/month-words'
import { getSideTexts } from '@voisol/contract/side-words'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { formatPeriodLabel } from '../../../ui/period/label.ts'
import { getPeriodOfLastYear, getPreviousPeriod, type Period } from '../../../ui/period/period.ts'
import type { OwnSide } from './my-points.ts'

type RateLine = { label: string; note: string; rate: number; mine?: boolean }

function buildRateLines(
  { current, previous, lastYear, neighbours }: EnergySummary,
  { side, battery }: OwnSide,
  period: Period,
): RateLine[] {
  const now = getLocalRate(current, side)
  if (now === null) return []
  const against = (label: string, rate: number | null | undefined, note?: string): RateLine[] =>
    rate == null ? [] : [{ label, rate, note: note ?? `Vous faites ${describePointDifference(now, rate)}` }]
  return [
    { label: 'Vous', note: formatPeriodLabel(period), rate: now, mine: true },
    ...against(
      'Période précédente',
      previous && getLocalRate(previous, side),
      formatPeriodLabel(getPreviousPeriod(period)),
    ),
    ...against(
      'Il y a un an',
      lastYear && getLocalRate(lastYear, side),
      formatPeriodLabel(getPeriodOfLastYear(period)),
    ),
    ...against(
      'Voisins comparables',
      side === 'consumption' && !battery ? neighbours?.selfProduction : null,
      neighbours ? `Moyenne de ${formatCount(neighbours.members, 'membre')}, sans les nommer` : '',
    ),
  ]
}

const RateRow = ({ label, note, rate, mine }: RateLine) => (
  <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1.5 sm:grid-cols-[15rem_minmax(0,1fr)_4rem] sm:items-center">
    <span className="min-w-0">
      <span className={cx('block', mine ? 'font-semibold' : 'font-medium')}>{label}</span>
      <span className="block text-[0.8125rem] text-ink-soft">{note}</span>
    </span>
    <span
      aria-hidden="true"
      className="order-last col-span-2 h-3 overflow-hidden rounded-full bg-slate-100 sm:order-none sm:col-span-1"
    >
      <span
        className={cx('block h-full rounded-full', mine ? 'bg-local' : 'bg-amber-300')}
        style={{ width: `${rate * 100}%` }}
      />
    </span>
    <span className={cx('tabular text-right', mine && 'font-semibold')}>{formatRoundedShare(rate)}</span>
  </li>
)

type CompareRatesProps = { summary: EnergySummary; mine: OwnSide; period: Period }

/** The same share before, a year ago and at the neighbours': shares stay comparable while a period is not over. */
export function CompareRates({ summary, mine, period }: CompareRatesProps) {
  const lines = buildRateLines(summary, mine, period)
  if (lines.length < 2) return null
  const few = mine.side === 'consumption' && !mine.battery && summary.neighbours === null
  return (
    <Card title={getSideTexts(mine).compared}>
      <ul className="grid gap-4">
        {lines.map((line) => (
          <RateRow key={line.label} {...line} />
        ))}
      </ul>
      {few && (
        <p className="mt-4 text-[0.8125rem] text-ink-soft">
          La moyenne de vos voisins s’affiche à partir de cinq autres membres raccordés comme vous, s’ils l’ont accepté.
          Ainsi, personne n’est reconnu.
        </p>
      )}
    </Card>
  )
}
