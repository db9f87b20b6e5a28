import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analytics } from '@voisol/contract/analytics'
import type { EnergySeries } from '@voisol/contract/energy'
import { useMemo } from 'react'
import { Card } from '../../../components/card.tsx'
import { Chart, type Series } from '../../../components/chart.tsx'
import { useDrawingWidth } from '../../../components/energy-explorer/use-drawing-width.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const GRANULARITY_LABELS = { '15min': 'quart d’heure', hour: 'heure', day: 'jour', month: 'mois' }

function buildSeries(data: EnergySeries): Series[] {
  const factor = data.step === null ? 1 / 1000 : 60 / data.step / 1000
  const scaleValues = (values: (number | null)[]) => values.map((value) => (value === null ? null : value * factor))
  return [
    { label: 'Énergie locale', color: 'var(--data-local)', kind: 'stacked', values: scaleValues(data.allocated) },
    {
      label: 'Complément du réseau',
      color: 'var(--data-grid)',
      kind: 'stacked',
      values: scaleValues(data.complement),
    },
    { label: 'Production', color: 'var(--data-surplus)', kind: 'line', values: scaleValues(data.produced) },
  ]
}

type CurveFilter = { from: string; to: string; operationId?: string }

/** The whole period at the finest step that has room: another period is another step. */
export default function Curve({ where }: { where: CurveFilter }) {
  const [holder, room] = useDrawingWidth()
  const { data, error, refetch } = useQuery({
    ...query(analytics.chart, { query: { ...where, width: room } }),
    placeholderData: keepPreviousData,
  })
  const chartData = useMemo(
    () => data && { times: data.starts.map((start) => Date.parse(start) / 1000), series: buildSeries(data) },
    [data],
  )
  const peak = chartData && Math.max(0, ...(chartData.series[2]?.values ?? []).map((value) => value ?? 0))
  const unit = data?.step === null ? 'kWh' : 'kW'
  return (
    <Card>
      <div ref={holder} />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!chartData && !error && <Skeleton className="h-80 w-full" />}
      {chartData && data && (
        <Chart
          title={`Production et consommation par ${GRANULARITY_LABELS[data.granularity]}`}
          summary={`${formatNumber(chartData.times.length)} valeurs. Production la plus haute\u00a0: ${formatNumber(peak ?? 0, 1)}\u00a0${unit}.`}
          times={chartData.times}
          series={chartData.series}
          unit={unit}
        />
      )}
    </Card>
  )
}
