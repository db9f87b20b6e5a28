import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react'
import { Toolbar } from '../chart/chart-toolbar.tsx'
import { clampTimeRange, getFullRange } from '../chart/chart-view.ts'
import { shouldShowNights } from '../chart/plot-options.ts'
import { type ChartData, formatTimeRange, isMeasuredSeries, type TimeRange } from '../chart/series.ts'
import { CurvePlot } from '../chart.tsx'
import { Switch } from '../radio-group.tsx'
import { type CurveMeasure, measures } from './energy-measure.ts'
import { ExplorerFrame, MarkLegend, Readout } from './explorer-frame.tsx'
import { computeExtremes, type ExplorerSeries } from './explorer-model.ts'
import { type FinerSeries, useExplorer } from './use-explorer.ts'

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

const HEIGHT = 44

type OverviewProps = { data: ChartData; limits: number[]; span: TimeRange; onSpan: (span: TimeRange) => void }

/** The whole period in small; the part shown above can be dragged, stretched, or moved by arrow keys. */
export function Overview({ data, limits, span, onSpan }: OverviewProps) {
  const { path, count } = useMemo(() => buildSilhouette(data, HEIGHT), [data])
  const { track, place, jump, slider } = useBrush(limits, span, onSpan)
  return (
    <div
      ref={track}
      data-print="hide"
      onPointerDown={jump}
      className="relative mr-3 ml-[52px] h-11 touch-none rounded-sm bg-page ring-1 ring-line"
    >
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${count} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        <path d={path} fill="#94A3B8" />
      </svg>
      <div
        {...slider('window')}
        style={{ left: `${place(span[0])}%`, right: `${100 - place(span[1])}%` }}
        className="absolute inset-y-0 min-w-1 cursor-grab rounded-sm border-x-2 border-primary bg-primary/15 active:cursor-grabbing"
      />
      {(['from', 'to'] as const).map((part) => (
        <div
          key={part}
          {...slider(part)}
          style={{ left: `${place(part === 'from' ? span[0] : span[1])}%` }}
          className="absolute inset-y-0 grid w-6 -translate-x-1/2 cursor-ew-resize place-items-center rounded-sm"
        >
          <span className="h-5 w-2 rounded-full border border-primary bg-card" />
        </div>
      ))}
    </div>
  )
}

const MAX_SILHOUETTE_BUCKETS = 360

/** The whole curve as one shape, a unit wide per bucket: the height of its layers, or its first line. */
export function buildSilhouette(data: ChartData, height: number) {
  const layers = data.series.filter((one) => one.kind === 'stacked')
  const visibleSeries = layers.length > 0 ? layers : data.series.filter(isMeasuredSeries).slice(0, 1)
  const sums = data.times.map((_, index) =>
    visibleSeries.some((one) => (one.values[index] ?? null) !== null)
      ? visibleSeries.reduce((sum, one) => sum + (one.values[index] ?? 0), 0)
      : null,
  )
  const ranges = computeExtremes(sums, MAX_SILHOUETTE_BUCKETS)
  const peak = Math.max(1e-9, ...ranges.map((range) => range?.[1] ?? 0))
  const y = (value: number) => (height - (value / peak) * (height - 4)).toFixed(1)
  const path = ranges.map((range, at) => (range ? `M${at} ${height}V${y(range[1])}H${at + 1}V${height}Z` : '')).join('')
  return { path, count: ranges.length }
}

export type BrushPart = 'from' | 'window' | 'to'
const BRUSH_LABELS: Record<BrushPart, string> = {
  from: 'Début de la partie affichée',
  window: 'Partie affichée',
  to: 'Fin de la partie affichée',
}

/** The part of the span that is taken, moved by some seconds. */
const moveTimeRange = ([from, to]: TimeRange, part: BrushPart, by: number): TimeRange => [
  part === 'to' ? from : from + by,
  part === 'from' ? to : to + by,
]

/** A span held by its middle or by an end, with the pointer or with the arrow keys. */
export function useBrush(times: number[], span: TimeRange, onSpan: (span: TimeRange) => void) {
  const track = useRef<HTMLDivElement>(null)
  const grabbedRef = useRef<{ part: BrushPart; x: number; span: TimeRange } | null>(null)
  const [first, last] = getFullRange(times)
  const length = last - first || 1
  const place = (instant: number) => ((instant - first) / length) * 100
  const seconds = (pixels: number) => (pixels / (track.current?.clientWidth || 1)) * length
  const choose = ([from, to]: TimeRange) => onSpan(clampTimeRange(from < to ? [from, to] : [to, from], times))

  const jump = (event: PointerEvent<HTMLDivElement>) => {
    const middle = first + seconds(event.clientX - event.currentTarget.getBoundingClientRect().left)
    const half = (span[1] - span[0]) / 2
    choose([middle - half, middle + half])
  }
  const slider = (part: BrushPart) => ({
    role: 'slider',
    tabIndex: 0,
    'aria-label': BRUSH_LABELS[part],
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(place(part === 'to' ? span[1] : span[0])),
    'aria-valuetext': formatTimeRange(...span),
    onPointerDown: (event: PointerEvent) => {
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      grabbedRef.current = { part, x: event.clientX, span }
    },
    onPointerMove: ({ clientX }: PointerEvent) => {
      const grabbed = grabbedRef.current
      if (grabbed) choose(moveTimeRange(grabbed.span, grabbed.part, seconds(clientX - grabbed.x)))
    },
    onPointerUp: () => {
      grabbedRef.current = null
    },
    onKeyDown: (event: KeyboardEvent) => {
      const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
      if (!direction) return
      event.preventDefault()
      choose(moveTimeRange(span, part, (direction * (span[1] - span[0])) / 10))
    },
  })
  return { track, place, jump, slider }
}
