import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import type { Point } from '@voisol/contract/points'
import { useMemo } from 'react'
import { Card } from '../../../../components/card.tsx'
import { PeriodBars } from '../../../../components/curve-explorer/period-bars.tsx'
import { buildExplorerSeries, cutAtNow, toEpochMinute } from '../../../../components/energy-explorer/columns.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { buildPeriod, type Period } from '../../../../components/period/period.ts'
import { formatPeriodLabel } from '../../../../components/period/period-labels.ts'
import { query } from '../../../../lib/queries.ts'

type Props = { point: Point; period: Period; onOpen: (period: Period) => void }

/** The months of the year that is looked at; each opens. */
export default function PointMonths({ point, period, onOpen }: Props) {
  const year = buildPeriod('year', period.from)
  const { from, to } = year
  const { data, error, refetch } = useQuery({
    ...query(energy.series, { query: { from, to, pointId: point.id, granularity: 'month' } }),
    placeholderData: keepPreviousData,
  })
  const chartData = useMemo(() => {
    if (!data) return null
    // What a plant shared is its local energy, as what a home was given is its own.
    const begun = cutAtNow(point.direction === 'production' ? { ...data, allocated: data.shared } : data)
    return {
      starts: begun.starts.map(toEpochMinute),
      series: buildExplorerSeries(begun, 'energy', { unitPrice: null, gramsPerKwh: 0 }),
    }
  }, [data, point.direction])
  return (
    <Card>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!chartData && !error && <Skeleton className="h-64 w-full" />}
      {chartData &&
        (chartData.series.length > 0 ? (
          <PeriodBars
            title="Mois par mois"
            {...chartData}
            each="month"
            label={formatPeriodLabel(year)}
            onOpen={(day) => onOpen(buildPeriod('month', day))}
          />
        ) : (
          <p className="text-body text-ink-soft">Aucun relevé n’est connu pour l’{formatPeriodLabel(year)}.</p>
        ))}
    </Card>
  )
}
