import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type EnergySeries, type EnergySummary, energy, type Granularity } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { Suspense, useMemo } from 'react'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import {
  buildExplorerSeries,
  chooseGranularity,
  filterSideSeries,
  toEpochMinute,
} from '../../../../components/energy-explorer/columns.ts'
import { EnergyTiles } from '../../../../components/energy-figures/energy-tiles.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import {
  buildPeriod,
  clipToKnownDays,
  type DayRange,
  describePreviousPeriod,
  type Period,
  usePeriod,
} from '../../../../components/period/period.ts'
import { PeriodBar } from '../../../../components/period/period-bar.tsx'
import { formatDayRange, formatPeriodLabel } from '../../../../components/period/period-labels.ts'
import { query } from '../../../../lib/queries.ts'

// Under the figures: it comes after them.
const DashboardOperations = lazy(async () => ({ default: (await import('./operations.tsx')).DashboardOperations }))

const BillingFigures = lazy(async () => ({ default: (await import('./billing-figures.tsx')).BillingFigures }))

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

const SHOWN_FIGURES = ['produced', 'shared', 'surplus', 'selfConsumption', 'selfProduction', 'co2'] as const
const TILE_LABELS = { shared: 'Énergie autoconsommée' }

const toTileTrends = ({ produced, shared, surplus }: Trends) => ({
  produced: { values: produced, color: '#b45309' },
  shared: { values: shared, color: 'var(--data-local)' },
  surplus: { values: surplus, color: 'var(--data-surplus)' },
})

type DashboardFiguresProps = { summary: EnergySummary; period: Period; shown: DayRange; trends: Trends }

/** How things stand, against the same days of the year before. */
const DashboardFigures = ({ summary, period, shown, trends }: DashboardFiguresProps) => (
  <section aria-label="Chiffres de la période" className="grid gap-3">
    {shown.to < period.to && (
      <p className="text-[0.8125rem] text-ink-soft">
        Relevés connus {formatDayRange(shown.from, addDays(shown.to, -1))}.
      </p>
    )}
    <EnergyTiles
      summary={summary}
      shown={SHOWN_FIGURES}
      before={describePreviousPeriod(period, shown)}
      className="sm:grid-cols-2 xl:grid-cols-3"
      labels={TILE_LABELS}
      trends={toTileTrends(trends)}
    />
  </section>
)

// What needs attention is read first; what draws comes after it.
const EnergyExplorerChart = lazy(async () => ({
  default: (await import('../../../../components/energy-explorer/energy-chart.tsx')).EnergyExplorerChart,
}))

const loadingSkeleton = <Skeleton className="h-96 w-full" />

type EnergyChartProps = {
  series: UseQueryResult<EnergySeries>
  granularity: Granularity
  period: Period
  until: string | null
  onPeriod: (period: Period) => void
}

function EnergyChart({ series, granularity, period, until, onPeriod }: EnergyChartProps) {
  const { data, error, refetch } = series
  const chartData = useMemo(() => {
    if (!data) return null
    const all = buildExplorerSeries(data, 'energy', { unitPrice: null, gramsPerKwh: 0 })
    return {
      // Shared and surplus are the production.
      series: filterSideSeries(all, 'production'),
      starts: data.starts.map(toEpochMinute),
      step: data.step ?? 0,
    }
  }, [data])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!chartData) return loadingSkeleton
  if (chartData.series.length === 0) return null
  return (
    <Card>
      <Suspense fallback={loadingSkeleton}>
        <EnergyExplorerChart
          title="Production, énergie locale et surplus"
          {...chartData}
          told="energy"
          granularity={granularity}
          label={formatPeriodLabel(period)}
          knownUntil={until ?? undefined}
          onOpen={(day) => onPeriod(buildPeriod(granularity === 'month' ? 'month' : 'day', day))}
        />
      </Suspense>
    </Card>
  )
}

type Trends = Pick<EnergySeries, 'produced' | 'shared' | 'surplus'>
const NO_TRENDS: Trends = { produced: [], shared: [], surplus: [] }
/** More points than that would only be noise beside a figure. */
const MAX_TREND_POINTS = 96

const pickTrends = (series: EnergySeries | undefined): Trends =>
  series && series.starts.length <= MAX_TREND_POINTS ? series : NO_TRENDS
