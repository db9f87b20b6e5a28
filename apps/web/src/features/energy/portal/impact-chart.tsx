import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { PeriodBars } from '../../../ui/curve-explorer/period-bars.tsx'
import { Segments } from '../../../ui/energy-explorer/controls.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { daysLabel } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { impactOf, type Shown } from './impact-series.ts'
import { ImpactSum } from './impact-sum.tsx'
import type { Mine } from './my-points.ts'
import type { Span } from './since.ts'

/** Under two months, months would be a bar or two. */
const BY_DAY = 62

type ImpactChartProps = { mine: Mine; span: Span; gramsPerKwh: number }

export function ImpactChart({ mine: { side, where }, span, gramsPerKwh }: ImpactChartProps) {
  const [shown, setShown] = useState<Shown>('each')
  const each = daysBetween(span.from, span.to) > BY_DAY ? 'month' : 'day'
  const { data, error, refetch } = useQuery(query(energy.series, { query: { ...where, ...span, granularity: each } }))
  const drawn = useMemo(() => data && impactOf(data, side, gramsPerKwh, shown), [data, side, gramsPerKwh, shown])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!drawn) return <Skeleton className="h-96 w-full" />
  return (
    <Card>
      <div data-print="hide" className="mb-5 flex">
        <Segments
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
          {...drawn}
          each={each}
          measure={measures.carbon}
          label={daysLabel(span.from, addDays(span.to, -1))}
        />
      ) : (
        <ImpactSum {...drawn} each={each} />
      )}
    </Card>
  )
}
