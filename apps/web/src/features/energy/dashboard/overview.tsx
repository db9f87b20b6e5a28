import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { Suspense } from 'react'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { chooseGranularity } from '../../../ui/energy-explorer/columns.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import type { Period } from '../../../ui/period/period.ts'
import { PeriodBar } from '../../../ui/period/period-bar.tsx'
import { clipToKnownDays } from '../../../ui/period/so-far.ts'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { EnergyChart } from './energy-chart.tsx'
import { DashboardFigures } from './figures.tsx'
import { pickTrends } from './trends.ts'

// Under the figures: it comes after them.
const DashboardOperations = lazy(async () => ({ default: (await import('./operations.tsx')).DashboardOperations }))

const BillingFigures = lazy(async () => ({ default: (await import('./money.tsx')).BillingFigures }))

/** A day of 25 hours. */
const DAY_STEPS = 100

/** A single day is told by its steps, everything longer by days or months. */
const getGranularity = (period: Period) => chooseGranularity(period, period.unit === 'day', DAY_STEPS)

/** How the operations stand over the chosen period. */
export function DashboardOverview({ lastDay }: { lastDay: string }) {
  const [period, setPeriod] = usePeriod('month', lastDay)
  const knownPeriod = clipToKnownDays(period, lastDay)
  const granularity = getGranularity(period)
  const summary = useQuery({ ...query(energy.summary, { query: knownPeriod }), placeholderData: keepPreviousData })
  const series = useQuery(query(energy.series, { query: { ...knownPeriod, granularity } }))
  const empty = summary.data !== undefined && !summary.isPlaceholderData && summary.data.steps.received === 0
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={setPeriod} />
      {summary.error && <ErrorState error={summary.error} onRetry={summary.refetch} />}
      {!summary.data && !summary.error && <Skeleton className="h-72 w-full" />}
      {empty && (
        <Card>
          <EmptyState
            title="Aucun relevé sur cette période"
            why="Les opérations n’ont rien reçu pour ces jours. Choisissez une autre période."
            action={
              <ButtonLink variant="secondary" to="/enedis-data">
                Voir les relevés reçus
              </ButtonLink>
            }
          />
        </Card>
      )}
      {summary.data && !empty && (
        <>
          <DashboardFigures
            summary={summary.data}
            period={period}
            shown={knownPeriod}
            trends={pickTrends(series.data)}
          />
          <EnergyChart
            series={series}
            granularity={granularity}
            period={period}
            until={summary.data.receivedUntil}
            onPeriod={setPeriod}
          />
        </>
      )}
      <Suspense fallback={null}>
        <BillingFigures days={{ from: period.from, to: period.to }} />
      </Suspense>
      <Suspense fallback={<Skeleton className="h-48 w-full" />}>
        <DashboardOperations days={{ from: period.from, to: period.to }} />
      </Suspense>
    </div>
  )
}
