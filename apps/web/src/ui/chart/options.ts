import type uPlot from 'uplot'
import { formatNumber } from '../../lib/format.ts'
import { drawBackground, drawMarks, drawZero, findGaps, findMarkedRanges } from './background.ts'
import { createTileFill, resolveColour, withAlpha } from './fill.ts'
import { formatTick } from './text.ts'
import { type ChartData, QUALITY_MARK, type Series, type TimeRange } from './types.ts'

const FONT = '12px "Inter Variable", system-ui, sans-serif'
const AXIS_COLOUR = '#475569'

/** Stacked series are drawn as running sums; all others as they are. */
export function stackValues(series: Series[]) {
  let below: (number | null)[] = []
  return series.map((one) => {
    if (one.kind !== 'stacked') return one.values
    const under = below
    below = one.values.map((value, index) => (value === null ? null : value + (under[index] ?? 0)))
    return below
  })
}

/** Stacks last first, so that a lower layer is painted over the sum above it; then lines and areas on top. */
const sortForDrawing = <T>(series: Series[], drawn: T[]) => {
  const stacked = drawn.filter((_, index) => series[index]?.kind === 'stacked')
  return [...stacked.toReversed(), ...drawn.filter((_, index) => series[index]?.kind !== 'stacked')]
}

const listBands = (series: Series[]) => series.flatMap((one) => (one.band ? [{ color: one.color, ...one.band }] : []))

export const buildAlignedData = ({ times, series }: ChartData): uPlot.AlignedData => [
  times,
  ...sortForDrawing(series, stackValues(series)),
  ...listBands(series).flatMap((band) => [band.high, band.low]),
]

const dashesByKind: Partial<Record<Series['kind'], number[]>> = { dashed: [6, 4], compared: [2, 3] }
const widthsByKind: Record<Series['kind'], number> = {
  stacked: 0,
  compared: 1.25,
  line: 1.75,
  area: 1.75,
  dashed: 1.75,
}

const DENSE_STEP_COUNT = 6000
/** So many steps in one drawing that no pattern could be told apart, and a plain fill is drawn much faster. */
const isDense = ({ series: [x] }: uPlot) => (x?.idxs?.[1] ?? 0) - (x?.idxs?.[0] ?? 0) > DENSE_STEP_COUNT

function buildFill(series: Series, stroke: string): uPlot.Series.Fill | undefined {
  if (series.kind === 'area') return withAlpha(stroke, '2E')
  if (series.kind !== 'stacked') return undefined
  const { pattern = 'plain' } = series
  if (pattern === 'plain') return stroke
  let cachedFill: string | CanvasPattern | undefined
  return (plot) => {
    if (isDense(plot)) return stroke
    const inks = pattern === 'open' ? { ground: '#F1F5F9', ink: stroke } : { ground: stroke, ink: '#FFFFFF8C' }
    cachedFill ??= createTileFill(plot.ctx, { ...inks, size: pattern === 'dotted' ? 6 : 8, pattern })
    return cachedFill
  }
}

function buildSeriesOptions(series: Series, element: Element): uPlot.Series {
  const stroke = resolveColour(series.color, element)
  return {
    label: series.label,
    // Where a line goes up and down within one pixel, what lies behind it must still be seen.
    stroke: series.kind === 'line' ? (plot) => (isDense(plot) ? withAlpha(stroke, '4D') : stroke) : stroke,
    width: widthsByKind[series.kind],
    dash: dashesByKind[series.kind],
    fill: buildFill(series, stroke),
    spanGaps: false,
    points: { show: false },
  }
}

const buildAxes = (data: ChartData): uPlot.Axis[] => [
  {
    font: FONT,
    stroke: AXIS_COLOUR,
    grid: { show: false },
    ticks: { stroke: '#CBD5E1', width: 1, size: 4 },
    size: 30,
    space: 72,
    values: (_, splits, __, ___, step) => splits.map((split) => formatTick(split, step)),
  },
  {
    font: FONT,
    stroke: AXIS_COLOUR,
    size: 52,
    grid: { stroke: '#EEF2F6', width: 1 },
    ticks: { show: false },
    // The unit stands once, on the highest line.
    values: (_, splits) =>
      splits.map((split, index) =>
        index === splits.length - 1 ? `${formatNumber(split)} ${data.unit}` : formatNumber(split),
      ),
  },
]

type Listeners = { onIndex: (index: number | null) => void; onSpan: (span: TimeRange) => void }

function buildHooks(data: ChartData, nights: TimeRange[], listeners: Listeners): uPlot.Hooks.Arrays {
  const gaps = findGaps(data)
  const marks = {
    doubtful: findMarkedRanges(data, QUALITY_MARK.doubtful),
    estimated: findMarkedRanges(data, QUALITY_MARK.estimated),
    corrected: findMarkedRanges(data, QUALITY_MARK.corrected),
  }
  return {
    drawClear: [(plot) => drawBackground(plot, nights, gaps)],
    draw: [(plot) => drawMarks(plot, marks), drawZero],
    setCursor: [(plot) => listeners.onIndex(plot.cursor.idx ?? null)],
    setSelect: [
      (plot) => {
        const { left, width } = plot.select
        if (width > 4) listeners.onSpan([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')])
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
      },
    ],
  }
}

const HIDDEN_SERIES: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } }

export function buildChartOptions(
  data: ChartData,
  nights: TimeRange[],
  element: HTMLElement,
  listeners: Listeners,
  tzDate: uPlot.LocalDateFromUnix,
): uPlot.Options {
  const first = data.series.length + 1
  const bands = listBands(data.series)
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    tzDate,
    padding: [12, 12, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7, width: 2 }, y: false },
    scales: {
      x: { time: true },
      y: { range: { min: { pad: 0.05, soft: 0, mode: 1 }, max: { pad: 0.08, soft: 0, mode: 1 } } },
    },
    axes: buildAxes(data),
    bands: bands.map((band, index) => ({
      series: [first + 2 * index, first + 2 * index + 1],
      fill: withAlpha(resolveColour(band.color, element), '24'),
    })),
    series: [
      {},
      ...sortForDrawing(
        data.series,
        data.series.map((series) => buildSeriesOptions(series, element)),
      ),
      ...bands.flatMap(() => [HIDDEN_SERIES, HIDDEN_SERIES]),
    ],
    hooks: buildHooks(data, nights, listeners),
  }
}
