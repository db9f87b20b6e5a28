import { Suspense } from 'react'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../skeleton.tsx'
import { Legend } from './legend.tsx'
import { describeInstant } from './text.ts'
import { Toolbar } from './toolbar.tsx'
import type { ChartData, TimeRange } from './types.ts'
import { type ChartView, useChartView } from './use-window.ts'
import { clampTimeRange } from './zoom.ts'

const Canvas = lazy(() => import('./canvas.tsx'))

type PlotProps = {
  data: ChartData
  nights: TimeRange[]
  label: string
  view: ChartView
  onSpan: (span: TimeRange) => void
  className?: string
}

/** A curve whose cursor is a slider: the keyboard and a screen reader walk it as the pointer does. */
export function CurvePlot({ data, nights, label, view, onSpan, className = 'h-[300px]' }: PlotProps) {
  const { times } = data
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`Curseur de la courbe\u00a0: ${label}`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, times.length - 1)}
      aria-valuenow={view.index ?? view.firstVisible}
      aria-valuetext={describeInstant(data, view.index ?? view.firstVisible)}
      onKeyDown={view.onKeyDown}
      className="min-w-0 rounded-md"
    >
      <Suspense fallback={<Skeleton className={`${className} w-full`} />}>
        <Canvas
          data={data}
          nights={nights}
          span={view.span}
          index={view.index}
          onIndex={view.setIndex}
          onSpan={onSpan}
          className={className}
        />
      </Suspense>
    </div>
  )
}

export function Curve({ data, nights, label }: { data: ChartData; nights: TimeRange[]; label: string }) {
  const view = useChartView(data.times)
  return (
    <div className="grid gap-2 [&>*]:min-w-0">
      <Legend data={data} index={view.index} />
      <CurvePlot
        data={data}
        nights={nights}
        label={label}
        view={view}
        onSpan={(next) => view.setSpan(clampTimeRange(next, data.times))}
      />
      <Toolbar span={view.span} times={data.times} onSpan={view.setSpan} />
    </div>
  )
}
