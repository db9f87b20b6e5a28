import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { PeriodBars } from '../../../ui/curve-explorer/period-bars.tsx'
import { SegmentedControl } from '../../../ui/energy-explorer/controls.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { formatDayRange } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { buildImpactSeries, type ImpactMode } from './impact-series.ts'
import { CumulatedImpactChart } from './impact-sum.tsx'
import type { OwnSide } from './my-points.ts'
import type { SinceEntryRange } from './since.ts'

/** Under two months, months would be a bar or two. */
const MAX_DAYS_BY_DAY = 62

type ImpactChartProps = { mine: OwnSide; span: SinceEntryRange; gramsPerKwh: number }

export function ImpactChart({ mine: { side, where }, span, gramsPerKwh }: ImpactChartProps) {
  const [shown, setShown] = useState<ImpactMode>('each')
  const each = daysBetween(span.from, span.to) > MAX_DAYS_BY_DAY ? 'month' : 'day'
  const { data, error, refetch } = useQuery(query(energy.series, { query: { ...where, ...span, granularity: each } }))
  const chartData = useMemo(
    () => data && buildImpactSeries(data, side, gramsPerKwh, shown),
    [data, side, gramsPerKwh, shown],
  )
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!chartData) return <Skeleton className="h-96 w-full" />
  return (
    <Card>
      <div data-print="hide" className="mb-5 flex">
        <SegmentedControl
          label="Présentation"
          value={shown}
          onChange={setShown}
          options={[
            { value: 'each', label: each === 'month' ? 'Mois par mois' : 'Jour par jour' },
            { value: 'sum', label: 'Depuis le début' },
          ]}
        />
      </div>
      {shown === 'each' ? (
        <PeriodBars
          title="CO₂ évité"
          {...chartData}
          each={each}
          measure={measures.carbon}
          label={formatDayRange(span.from, addDays(span.to, -1))}
        />
      ) : (
        <CumulatedImpactChart {...chartData} each={each} />
      )}
    </Card>
  )
}
