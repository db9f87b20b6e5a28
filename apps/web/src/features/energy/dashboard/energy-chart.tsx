import type { UseQueryResult } from '@tanstack/react-query'
import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { Suspense, useMemo } from 'react'
import { Card } from '../../../ui/card.tsx'
import { minuteOf, seriesOf, sideOf } from '../../../ui/energy-explorer/columns.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { periodLabel } from '../../../ui/period/label.ts'
import { type Period, periodOf } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

// What needs attention is read first; what draws comes after it.
const Picture = lazy(async () => ({ default: (await import('../../../ui/energy-explorer/picture.tsx')).Picture }))

const waiting = <Skeleton className="h-96 w-full" />

type EnergyChartProps = {
  series: UseQueryResult<EnergySeries>
  granularity: Granularity
  period: Period
  until: string | null
  onPeriod: (period: Period) => void
}

export function EnergyChart({ series, granularity, period, until, onPeriod }: EnergyChartProps) {
  const { data, error, refetch } = series
  const drawn = useMemo(() => {
    if (!data) return null
    const all = seriesOf(data, 'energy', { unitPrice: null, gramsPerKwh: 0 })
    return {
      // Shared and surplus are the production.
      series: sideOf(all, 'production'),
      starts: data.starts.map(minuteOf),
      step: data.step ?? 0,
    }
  }, [data])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!drawn) return waiting
  if (drawn.series.length === 0) return null
  return (
    <Card>
      <Suspense fallback={waiting}>
        <Picture
          title="Production, énergie locale et surplus"
          {...drawn}
          told="energy"
          granularity={granularity}
          label={periodLabel(period)}
          knownUntil={until ?? undefined}
          onOpen={(day) => onPeriod(periodOf(granularity === 'month' ? 'month' : 'day', day))}
        />
      </Suspense>
    </Card>
  )
}
