import type { Granularity } from '@voisol/contract/energy'
import { Suspense } from 'react'
import type { Span } from '../chart/types.ts'
import type { ExplorerSeries } from '../curve-explorer/model.ts'
import { PeriodBars } from '../curve-explorer/period-bars.tsx'
import type { Idle } from '../curve-explorer/readout.tsx'
import type { Finer } from '../curve-explorer/use-drawn.ts'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../skeleton.tsx'
import { MEASURES, minuteOf, type Told } from './columns.ts'

// Whoever looks at days and months alone never loads what draws curves.
const CurveExplorer = lazy(async () => ({
  default: (await import('../curve-explorer/curve-explorer.tsx')).CurveExplorer,
}))

/** What is looked at of a curve, and that part at a finer step. */
export type Zoom = { onSpan: (span: Span) => void; finer: Finer | null }

const MINUTES: Record<Granularity, number> = { '15min': 15, hour: 60, day: 1440, month: 44_640 }

type PictureProps = {
  title: string
  series: ExplorerSeries[]
  /** Epoch minutes. */
  starts: number[]
  step: number
  told: Told
  granularity: Granularity
  /** As a line, whatever the step; days and months are bars otherwise. */
  curve?: boolean
  zoom?: Zoom
  label: string
  knownUntil?: string
  onOpen: (day: string) => void
  /** Where the totals stand above already, bars say what one of them holds on average. */
  idle?: Idle
}

export function Picture(props: PictureProps) {
  const { title, series, starts, step, told, granularity, label, knownUntil, onOpen, idle = 'total' } = props
  const until = knownUntil === undefined ? undefined : minuteOf(knownUntil)
  const uneven = granularity === 'day' || granularity === 'month'
  if (uneven && !props.curve)
    return (
      <PeriodBars
        title={title}
        series={series}
        starts={starts}
        each={granularity}
        label={label}
        measure={MEASURES[told].bars}
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
        step={uneven ? MINUTES[granularity] : step}
        starts={uneven ? starts : undefined}
        label={label}
        measure={uneven ? MEASURES[told].bars : MEASURES[told].curve}
        knownUntil={until}
        onSpan={props.zoom?.onSpan}
        finer={props.zoom?.finer}
      />
    </Suspense>
  )
}
