import type { Granularity } from '@voisol/contract/energy'
import { Suspense } from 'react'
import type { TimeRange } from '../chart/series.ts'
import { type CurveMeasure, measures } from '../curve-explorer/energy-measure.ts'
import type { IdleReadout } from '../curve-explorer/explorer-frame.tsx'
import type { ExplorerSeries } from '../curve-explorer/explorer-model.ts'
import { PeriodBars } from '../curve-explorer/period-bars.tsx'
import type { FinerSeries } from '../curve-explorer/use-explorer.ts'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../loading.tsx'
import { type DisplayUnit, toEpochMinute } from './columns.ts'

// Whoever looks at days and months alone never loads what draws curves.
const CurveExplorer = lazy(async () => ({
  default: (await import('../curve-explorer/curve-explorer.tsx')).CurveExplorer,
}))

/** What is looked at of a curve, and that part at a finer step. */
type CurveZoom = { onSpan: (span: TimeRange) => void; finer: FinerSeries | null }

const STEP_MINUTES: Record<Granularity, number> = { '15min': 15, hour: 60, day: 1440, month: 44_640 }

type EnergyChartProps = {
  title: string
  series: ExplorerSeries[]
  /** Epoch minutes. */
  starts: number[]
  step: number
  told: DisplayUnit
  granularity: Granularity
  /** As a line, whatever the step; days and months are bars otherwise. */
  curve?: boolean
  zoom?: CurveZoom
  label: string
  knownUntil?: string
  onOpen: (day: string) => void
  /** Where the totals stand above already, bars say what one of them holds on average. */
  idle?: IdleReadout
}

const MEASURES_BY_UNIT: Record<DisplayUnit, { bars: CurveMeasure; curve: CurveMeasure }> = {
  energy: { bars: measures.energy, curve: measures.power },
  money: { bars: measures.money, curve: measures.money },
  carbon: { bars: measures.carbon, curve: measures.carbon },
}

export function EnergyExplorerChart(props: EnergyChartProps) {
  const { title, series, starts, step, told, granularity, label, knownUntil, onOpen, idle = 'total' } = props
  const until = knownUntil === undefined ? undefined : toEpochMinute(knownUntil)
  const uneven = granularity === 'day' || granularity === 'month'
  if (uneven && !props.curve)
    return (
      <PeriodBars
        title={title}
        series={series}
        starts={starts}
        each={granularity}
        label={label}
        measure={MEASURES_BY_UNIT[told].bars}
        knownUntil={until}
        onOpen={onOpen}
        idle={idle}
      />
    )
  return (
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <CurveExplorer
        key={`${starts[0]}-${starts.length}`}
        title={title}
        series={series}
        startsAt={starts[0] ?? 0}
        step={uneven ? STEP_MINUTES[granularity] : step}
        starts={uneven ? starts : undefined}
        label={label}
        measure={uneven ? MEASURES_BY_UNIT[told].bars : MEASURES_BY_UNIT[told].curve}
        knownUntil={until}
        onSpan={props.zoom?.onSpan}
        finer={props.zoom?.finer}
      />
    </Suspense>
  )
}
