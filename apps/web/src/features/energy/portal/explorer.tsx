import type { EnergySummary } from '@voisol/contract/energy'
import type { ReactNode } from 'react'
import { Card } from '../../../ui/card.tsx'
import { EnergyExplorerChart } from '../../../ui/energy-explorer/picture.tsx'
import { ExplorerTools, useDrawingOptions } from '../../../ui/energy-explorer/tools.tsx'
import { useDrawingWidth } from '../../../ui/energy-explorer/use-room.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { formatPeriodLabel } from '../../../ui/period/label.ts'
import { buildPeriod, type Period } from '../../../ui/period/period.ts'
import { PeriodBar } from '../../../ui/period/period-bar.tsx'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { OwnSide } from './my-points.ts'
import { NoReadingInPeriod } from './nothing.tsx'
import { useSideEnergy } from './use-side-energy.ts'

type PortalEnergyExplorerProps = {
  title: string
  mine: OwnSide
  unitPrice: number | null
  since: string | null
  lastDay: string
  /** Above and under the picture, for the period that is shown. */
  above: (summary: EnergySummary) => ReactNode
  under: (summary: EnergySummary, period: Period) => ReactNode
}

/** One's own energy through time: period, kWh, € or CO₂, another period beside it, table and files. */
export function PortalEnergyExplorer({
  title,
  mine,
  unitPrice,
  since,
  lastDay,
  above,
  under,
}: PortalEnergyExplorerProps) {
  const [period, setPeriod] = usePeriod('month', lastDay)
  const drawing = useDrawingOptions(period)
  const { told, against, curve } = drawing
  const view = { period, curve, told, against, unitPrice }
  const [holder, room] = useDrawingWidth()
  const { summary, series, drawn, granularity, zoom } = useSideEnergy(mine, view, room)
  const { from, to } = period
  const hasReadings = (summary.data?.steps.received ?? 0) > 0
  const change = (next: Period) => {
    drawing.renew(next)
    setPeriod(next)
  }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={change} min={since ?? undefined} />
      {summary.error && <ErrorState error={summary.error} onRetry={summary.refetch} />}
      {!summary.data && !summary.error && <Skeleton className="h-48 w-full" />}
      {summary.data && hasReadings && above(summary.data)}
      <Card>
        <ExplorerTools
          period={period}
          drawing={drawing}
          priced={unitPrice !== null}
          exportLabel="Télécharger"
          selection={{ ...mine.where, from, to, granularity }}
        />
        <div ref={holder} />
        {series.error && <ErrorState error={series.error} onRetry={series.refetch} />}
        {!drawn && !series.error && <Skeleton className="h-96 w-full" />}
        {drawn?.series.some((one) => !one.compared) && (
          <EnergyExplorerChart
            title={title}
            {...drawn}
            told={told}
            granularity={granularity}
            curve={curve}
            zoom={zoom}
            label={formatPeriodLabel(period)}
            knownUntil={summary.data?.receivedUntil ?? undefined}
            idle={told === 'energy' && !drawn.series.some((one) => one.compared) ? 'mean' : 'total'}
            onOpen={(day) => change(buildPeriod(granularity === 'month' ? 'month' : 'day', day))}
          />
        )}
        {drawn && !drawn.series.some((one) => !one.compared) && <NoReadingInPeriod />}
      </Card>
      {summary.data && hasReadings && under(summary.data, period)}
    </div>
  )
}
