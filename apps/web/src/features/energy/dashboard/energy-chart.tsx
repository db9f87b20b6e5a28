import type { UseQueryResult } from '@tanstack/react-query'
import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { Suspense, useMemo } from 'react'
import { Card } from '../../../ui/card.tsx'
import { buildExplorerSeries, filterSideSeries, toEpochMinute } from '../../../ui/energy-explorer/columns.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { formatPeriodLabel } from '../../../ui/period/label.ts'
import { buildPeriod, type Period } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

// What needs attention is read first; what draws comes after it.
const EnergyExplorerChart = lazy(async () => ({
  default: (await import('../../../ui/energy-explorer/picture.tsx')).EnergyExplorerChart,
}))

const loadingSkeleton = <Skeleton className="h-96 w-full" />

type EnergyChartProps = {
  series: UseQueryResult<EnergySeries>
  granularity: Granularity
  period: Period
  until: string | null
  onPeriod: (period: Period) => void
}

export function EnergyChart({ series, granularity, period, until, onPeriod }: EnergyChartProps) {
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
