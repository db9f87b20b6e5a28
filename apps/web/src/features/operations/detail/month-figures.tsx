import type { UseQueryResult } from '@tanstack/react-query'
import type { Summary, Totals } from '@voisol/contract/energy'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import { energy, money, percent } from '../../../lib/format.ts'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { daysLabel } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type Change, Tile } from '../../../ui/tile.tsx'

const ratio = (now: number | null, before: number | null | undefined) =>
  now === null || !before ? undefined : now / before - 1
const rate = (value: number | null) => (value === null ? '–' : percent(value))

type Line = {
  label: string
  figure: string
  of: (totals: Totals) => number | null
  good?: 'up' | 'down'
  note?: string
}

/** Before a run nothing is known of what was shared: that is no zero. */
const shareText = ({ steps }: Summary, value: number) => (steps.allocated > 0 ? energy(value) : '–')

const linesOf = (summary: Summary, current: Totals): Line[] => [
  { label: 'Production', figure: energy(current.produced), of: (t) => t.produced, good: 'up' },
  {
    label: 'Énergie partagée',
    figure: shareText(summary, current.shared),
    of: (t) => t.shared,
    good: 'up',
    note:
      current.valueCents === null || summary.steps.allocated === 0
        ? undefined
        : `Soit ${money(current.valueCents)} hors taxes.`,
  },
  { label: 'Surplus', figure: shareText(summary, current.surplus), of: (t) => t.surplus },
  {
    label: 'Taux d’autoconsommation',
    figure: rate(current.selfConsumption),
    of: (t) => t.selfConsumption,
    good: 'up',
    note: 'Part de la production consommée sur place.',
  },
  {
    label: 'Taux d’autoproduction',
    figure: rate(current.selfProduction),
    of: (t) => t.selfProduction,
    good: 'up',
    note: 'Part de la consommation couverte.',
  },
  {
    label: 'CO₂ évité',
    figure: summary.steps.allocated > 0 ? measures.carbon.text(current.co2Grams) : '–',
    of: (t) => t.co2Grams,
    good: 'up',
    note: summary.co2.source,
  },
]
type MonthFiguresProps = { summary: UseQueryResult<Summary>; days: { from: string; to: string } }

/** The month so far, against as many days just before: a month that is not over is not held against a whole one. */
export function MonthFigures({ summary: { data, error, refetch }, days: { from, to } }: MonthFiguresProps) {
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  if (data.steps.received === 0) return null
  const count = daysBetween(from, to)
  const against = 'la période précédente'
  const changeOf = ({ of, good }: Line): Change | undefined => {
    const value = ratio(of(data.current), data.previous && of(data.previous))
    return value === undefined ? undefined : { ratio: value, against, good }
  }
  return (
    <section aria-label="Chiffres du mois" className="grid gap-3">
      <h2 className="text-body font-semibold">
        Ce mois-ci
        <span className="font-normal text-ink-soft">
          , {daysLabel(from, addDays(to, -1))}
          {data.previous && (count > 1 ? `, face aux ${count} jours précédents` : ', face au jour précédent')}
        </span>
      </h2>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">
        {linesOf(data, data.current).map((line) => (
          <Tile key={line.label} label={line.label} figure={line.figure} note={line.note} change={changeOf(line)} />
        ))}
      </div>
    </section>
  )
}
