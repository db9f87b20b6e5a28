import FileDown from 'lucide-react/icons/file-down'
import ImageDown from 'lucide-react/icons/image-down'
import { Suspense, useMemo, useRef } from 'react'
import { Button } from './button.tsx'
import { buildChartCsv, downloadBlob, renderChartImage, toFileName } from './chart/chart-export.ts'
import { ChartFrame } from './chart/chart-frame.tsx'
import { DataTable, Toolbar } from './chart/chart-toolbar.tsx'
import { type ChartView, clampTimeRange, useChartView } from './chart/chart-view.ts'
import { Legend } from './chart/legend.tsx'
import { type ChartData, describeInstant, type Series, type TimeRange } from './chart/series.ts'
import { lazy } from './lazy.tsx'
import { Skeleton } from './loading.tsx'

export type { Series, TimeRange } from './chart/series.ts'

type ChartProps = {
  title: string
  summary: string
  /** Instants in Unix seconds, rising. */
  times: number[]
  series: Series[]
  unit: string
  /** From sunset to sunrise, in Unix seconds. */
  nights?: TimeRange[]
}

const NO_NIGHTS: TimeRange[] = []

/** Curves over time. Keep `times` and `series` stable between renders: new arrays draw anew. */
export function Chart({ title, summary, times, series, unit, nights = NO_NIGHTS }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const data = useMemo(() => ({ times, series, unit }), [times, series, unit])
  const saveImage = async () => {
    const image = frame.current && (await renderChartImage(frame.current, title, data))
    if (image) downloadBlob(`${toFileName(title)}.png`, image)
  }
  const saveCsv = () =>
    downloadBlob(`${toFileName(title)}.csv`, new Blob([buildChartCsv(data)], { type: 'text/csv;charset=utf-8' }))
  return (
    <div ref={frame} className="min-w-0">
      <ChartFrame
        title={title}
        summary={summary}
        drawing={<Curve data={data} nights={nights} label={title} />}
        table={<DataTable key={times[0]} data={data} label={title} />}
        downloads={
          <>
            <Button variant="secondary" size="small" icon={<ImageDown aria-hidden="true" />} onClick={saveImage}>
              Télécharger l’image (PNG)
            </Button>
            <Button variant="secondary" size="small" icon={<FileDown aria-hidden="true" />} onClick={saveCsv}>
              Télécharger les données (CSV)
            </Button>
          </>
        }
      />
    </div>
  )
}

const Canvas = lazy(() => import('./chart/chart-canvas.tsx'))

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

function Curve({ data, nights, label }: { data: ChartData; nights: TimeRange[]; label: string }) {
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
