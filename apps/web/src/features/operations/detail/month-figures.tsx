import type { UseQueryResult } from '@tanstack/react-query'
import type { EnergySummary } from '@voisol/contract/energy'
import { addDays, monthOf } from '@voisol/energy/calendar'
import { EnergyTiles } from '../../../ui/energy-figures/energy-tiles.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { formatDayRange } from '../../../ui/period/label.ts'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

const SHOWN_FIGURES = ['produced', 'shared', 'surplus', 'selfConsumption', 'selfProduction', 'co2'] as const

type MonthFiguresProps = { summary: UseQueryResult<EnergySummary>; days: { from: string; to: string } }

/** The month so far: one that is not over is not held against a whole one. */
export function MonthFigures({ summary: { data, error, refetch }, days: { from, to } }: MonthFiguresProps) {
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  if (data.steps.received === 0) return null
  return (
    <section aria-label="Chiffres du mois" className="grid gap-3">
      <h2 className="text-body font-semibold">
        {from >= monthOf(getTodayInParis()) ? 'Ce mois-ci' : 'Sur la période'}
        <span className="font-normal text-ink-soft">, {formatDayRange(from, addDays(to, -1))}</span>
      </h2>
      <EnergyTiles
        summary={data}
        shown={SHOWN_FIGURES}
        before="la période précédente"
        className="sm:grid-cols-2 lg:grid-cols-3"
      />
    </section>
  )
}
