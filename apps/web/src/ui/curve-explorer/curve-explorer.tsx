import { shouldShowNights } from '../chart/background.ts'
import { CurvePlot } from '../chart/curve.tsx'
import { Toolbar } from '../chart/toolbar.tsx'
import type { TimeRange } from '../chart/types.ts'
import { clampTimeRange } from '../chart/zoom.ts'
import { Switch } from '../switch.tsx'
import { ExplorerFrame } from './explorer-frame.tsx'
import { MarkLegend } from './mark-legend.tsx'
import { type CurveMeasure, measures } from './measure.ts'
import type { ExplorerSeries } from './model.ts'
import { Overview } from './overview.tsx'
import { Readout } from './readout.tsx'
import type { FinerSeries } from './use-drawn.ts'
import { useExplorer } from './use-explorer.ts'

export type CurveExplorerProps = {
  title: string
  series: ExplorerSeries[]
  /** Epoch minutes of the first step, and the length of a step in minutes. */
  startsAt: number
  step: number
  /** Of days and months, which are not all alike, when each begins. */
  starts?: number[]
  measure?: CurveMeasure
  /** The period in words, where the days of the curve do not say it well. */
  label?: string
  place?: { lat: number; lon: number }
  /** Epoch minute until which readings have been received. */
  knownUntil?: number
  /** Told of the part that is looked at, and given it at a finer step where there is one. */
  onSpan?: (span: TimeRange) => void
  finer?: FinerSeries | null
}

const MIN_OVERVIEW_MINUTES = 14 * 1440

/** A curve to walk through: layers, gaps, marks, nights, zoom, totals and table. Keep `series` stable between renders. */
export function CurveExplorer({ title, measure = measures.power, knownUntil, ...input }: CurveExplorerProps) {
  const explorer = useExplorer({ ...input, measure })
  const { whole, limits, view, nights, facts } = explorer
  const setSpan = (span: TimeRange) => view.setSpan(clampTimeRange(span, limits))
  return (
    <ExplorerFrame title={title} summary={explorer.summary} shown={explorer.shown} knownUntil={knownUntil}>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <Readout {...explorer.readout} />
        {explorer.canDetail && (
          <Switch
            label="Tous les pas"
            hint={explorer.daily ? 'Moyenne de chaque jour' : `Pas de ${input.step}\u00a0minutes`}
            checked={explorer.detailed}
            onChange={(event) => explorer.setDetailed(event.target.checked)}
          />
        )}
      </div>
      <CurvePlot
        data={explorer.drawn}
        nights={nights}
        label={title}
        view={view}
        onSpan={setSpan}
        className="h-[260px] sm:h-[360px]"
      />
      {whole.times.length * input.step > MIN_OVERVIEW_MINUTES && (
        <Overview data={whole} limits={limits} span={view.span} onSpan={setSpan} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Toolbar span={view.span} times={limits} onSpan={setSpan} />
        <MarkLegend facts={facts} nights={shouldShowNights(...view.span)} />
      </div>
    </ExplorerFrame>
  )
}
