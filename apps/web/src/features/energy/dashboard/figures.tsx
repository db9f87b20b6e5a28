import type { Summary, Totals } from '@voisol/contract/energy'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import { energy, money, percent } from '../../../lib/format.ts'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { daysLabel } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { beforeWords, type Days, isPartialYear } from '../../../ui/period/so-far.ts'
import { type Change, Tile } from '../../../ui/tile.tsx'
import type { Trends } from './trends.ts'

const rate = (value: number | null) => (value === null ? '–' : percent(value))

type Line = {
  label: string
  figure: string
  of: (totals: Totals) => number | null
  good?: 'up' | 'down'
  note?: string
  /** A share: it changes by points. */
  points?: boolean
  trend?: Parameters<typeof Tile>[0]['trend']
}

/** Production of days that no run holds yet, or that were left out of it. */
function unsharedWords({ produced, shared, surplus }: Totals) {
  const rest = produced - shared - surplus
  return rest > produced / 200 ? `${energy(rest)} produits ne sont pas encore répartis.` : undefined
}

/** Before a run nothing is known of what was shared: that is no zero. */
function linesOf({ current, steps, co2 }: Summary, trends: Trends): Line[] {
  const told = (text: string) => (steps.allocated > 0 ? text : '–')
  return [
    {
      label: 'Production',
      figure: energy(current.produced),
      of: (t) => t.produced,
      good: 'up',
      trend: { values: trends.produced, color: '#b45309' },
    },
    {
      label: 'Énergie autoconsommée',
      figure: told(energy(current.shared)),
      of: (t) => t.shared,
      good: 'up',
      trend: { values: trends.shared, color: 'var(--data-local)' },
      note:
        current.valueCents === null || steps.allocated === 0
          ? undefined
          : `Valeur de l’énergie locale\u00a0: ${money(current.valueCents)} hors taxes, au prix des opérations.`,
    },
    {
      label: 'Surplus',
      figure: told(energy(current.surplus)),
      of: (t) => t.surplus,
      note: unsharedWords(current),
      trend: { values: trends.surplus, color: 'var(--data-surplus)' },
    },
    {
      label: 'Taux d’autoconsommation',
      figure: rate(current.selfConsumption),
      of: (t) => t.selfConsumption,
      good: 'up',
      points: true,
      note: 'Part de la production consommée sur place.',
    },
    {
      label: 'Taux d’autoproduction',
      figure: rate(current.selfProduction),
      of: (t) => t.selfProduction,
      good: 'up',
      points: true,
      note: 'Part de la consommation couverte par le local.',
    },
    {
      label: 'CO₂ évité',
      figure: told(measures.carbon.text(current.co2Grams)),
      of: (t) => t.co2Grams,
      good: 'up',
      note: co2.source,
    },
  ]
}

type Earlier = { totals: Totals | null; against: string; words: string }

function earlierOf({ previous, lastYear }: Summary, period: Period, shown: Days): Earlier {
  const against = beforeWords(period, shown)
  if (isPartialYear(period, shown)) return { totals: lastYear, against, words: `, face à ${against}.` }
  const count = daysBetween(shown.from, shown.to)
  const days = count > 1 ? `, face aux ${count}\u00a0jours précédents.` : ', face au jour précédent.'
  return { totals: previous, against, words: days }
}

function changeOf({ of, good, points }: Line, current: Totals, earlier: Earlier): Change | undefined {
  const [now, before] = [of(current), earlier.totals && of(earlier.totals)]
  if (now === null || !before || now === 0) return undefined
  return { ratio: points ? now - before : now / before - 1, against: earlier.against, good, points }
}

type FiguresProps = { summary: Summary; period: Period; shown: Days; trends: Trends }

/** How things stand, against as many days just before. */
export function Figures({ summary, period, shown, trends }: FiguresProps) {
  const earlier = earlierOf(summary, period, shown)
  return (
    <section aria-label="Chiffres de la période" className="grid gap-3">
      {shown.to < period.to && (
        <p className="text-[0.8125rem] text-ink-soft">
          Relevés connus {daysLabel(shown.from, addDays(shown.to, -1))}
          {earlier.totals ? earlier.words : '.'}
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {linesOf(summary, trends).map((line) => (
          <Tile
            key={line.label}
            label={line.label}
            figure={line.figure}
            note={line.note}
            change={changeOf(line, summary.current, earlier)}
            trend={line.trend}
          />
        ))}
      </div>
    </section>
  )
}
