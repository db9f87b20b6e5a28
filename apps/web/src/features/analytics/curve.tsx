import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analytics } from '@voisol/contract/analytics'
import type { EnergySeries } from '@voisol/contract/energy'
import { useMemo } from 'react'
import { number } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { Chart, type Series } from '../../ui/chart.tsx'
import { useRoom } from '../../ui/energy-explorer/use-room.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const LABELS = { '15min': 'quart d’heure', hour: 'heure', day: 'jour', month: 'mois' }

function seriesOf(data: EnergySeries): Series[] {
  const factor = data.step === null ? 1 / 1000 : 60 / data.step / 1000
  const scaled = (values: (number | null)[]) => values.map((value) => (value === null ? null : value * factor))
  return [
    { label: 'Énergie locale', color: 'var(--data-local)', kind: 'stacked', values: scaled(data.allocated) },
    {
      label: 'Complément du réseau',
      color: 'var(--data-grid)',
      pattern: 'hatched',
      kind: 'stacked',
      values: scaled(data.complement),
    },
    { label: 'Production', color: 'var(--data-surplus)', kind: 'line', values: scaled(data.produced) },
  ]
}

type Where = { from: string; to: string; operationId?: string }

/** The whole period at the finest step that has room: another period is another step. */
export default function Curve({ where }: { where: Where }) {
  const [holder, room] = useRoom()
  const { data, error, refetch } = useQuery({
    ...query(analytics.chart, { query: { ...where, width: room } }),
    placeholderData: keepPreviousData,
  })
  const drawn = useMemo(
    () => data && { times: data.starts.map((start) => Date.parse(start) / 1000), series: seriesOf(data) },
    [data],
  )
  const peak = drawn && Math.max(0, ...(drawn.series[2]?.values ?? []).map((value) => value ?? 0))
  const unit = data?.step === null ? 'kWh' : 'kW'
  return (
    <Card>
      <div ref={holder} />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!drawn && !error && <Skeleton className="h-80 w-full" />}
      {drawn && data && (
        <Chart
          title={`Production et consommation par ${LABELS[data.granularity]}`}
          summary={`${number(drawn.times.length)} valeurs. Production la plus haute\u00a0: ${number(peak ?? 0, 1)}\u00a0${unit}.`}
          times={drawn.times}
          series={drawn.series}
          unit={unit}
        />
      )}
    </Card>
  )
}
