import type uPlot from 'uplot'
import { formatNumber } from '../../lib/format.ts'
import { createHatchFill, createTileFill, resolveColour } from './fill.tsx'
import {
  type ChartData,
  formatTick,
  isBeforeEntry,
  isMeasuredSeries,
  QUALITY_MARK,
  type Series,
  type TimeRange,
} from './series.ts'

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

const withAlpha = (hex: string, alpha: string) => (/^#[0-9a-f]{6}$/i.test(hex) ? hex + alpha : hex)

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

/** Beyond the last measured value a forecast speaks of what has not come yet: nothing is missing there. */
function getMeasuredEnd({ times, series }: ChartData): number {
  if (!series.some(({ kind }) => kind === 'dashed')) return times.length
  const last = (one: Series) => one.values.findLastIndex((value) => value !== null)
  return 1 + Math.max(-1, ...series.filter(isMeasuredSeries).map(last))
}

/** Where nothing measured is known; a forecast or another period does not fill a gap. */
export function findGaps(data: ChartData): TimeRange[] {
  const { times, series } = data
  const measured = series.filter(isMeasuredSeries)
  const gaps: TimeRange[] = []
  if (measured.length === 0) return gaps
  const end = getMeasuredEnd(data)
  times.forEach((instant, index) => {
    if (index >= end || measured.some((one) => (one.values[index] ?? null) !== null || isBeforeEntry(one, index)))
      return
    const last = gaps.at(-1)
    const [from, to] = [times[index - 1] ?? instant, times[index + 1] ?? instant]
    if (last && last[1] >= instant) last[1] = to
    else gaps.push([from, to])
  })
  return gaps
}

/** Where a measured series carries a mark, from each marked step to the next one. */
function findMarkedRanges({ times, series }: ChartData, mark: number): TimeRange[] {
  const marked = series.filter((one) => isMeasuredSeries(one) && one.marks)
  const spans: TimeRange[] = []
  if (marked.length === 0) return spans
  times.forEach((instant, index) => {
    if (!marked.some((one) => one.marks?.[index] === mark)) return
    const to = times[index + 1] ?? instant + (instant - (times[index - 1] ?? instant))
    const last = spans.at(-1)
    if (last && last[1] >= instant) last[1] = to
    else spans.push([instant, to])
  })
  return spans
}

function clipToPlot(plot: uPlot, [from, to]: TimeRange) {
  const { left, width } = plot.bbox
  const x = Math.max(left, plot.valToPos(from, 'x', true))
  const end = Math.min(left + width, plot.valToPos(to, 'x', true))
  return end > x ? { x, end } : null
}

function fillRanges(plot: uPlot, spans: TimeRange[], fill: string | CanvasPattern) {
  const { top, height } = plot.bbox
  plot.ctx.fillStyle = fill
  for (const span of spans) {
    const visible = clipToPlot(plot, span)
    if (visible) plot.ctx.fillRect(visible.x, top, visible.end - visible.x, height)
  }
}

const MAX_NIGHTS_RANGE_SECONDS = 10 * 86_400
/** Beyond ten days the stripes of nights would hide the curves. */
export const shouldShowNights = (from: number, to: number) => to - from <= MAX_NIGHTS_RANGE_SECONDS

/** Behind the curves: night as a light veil, gaps hatched. */
function drawBackground(plot: uPlot, nights: TimeRange[], gaps: TimeRange[]) {
  plot.ctx.save()
  const { min = 0, max = 0 } = plot.scales.x ?? {}
  if (shouldShowNights(min, max)) fillRanges(plot, nights, 'rgb(30 58 138 / 0.05)')
  if (gaps.length > 0) fillRanges(plot, gaps, createHatchFill(plot.ctx))
  plot.ctx.restore()
}

const MARK_INK = '#334155'

type Marks = Record<'doubtful' | 'estimated' | 'corrected', TimeRange[]>

/** Over the curves, at the top: estimated as a dotted rule, corrected as a rule that begins with a diamond, doubtful as teeth. */
function drawMarks(plot: uPlot, { doubtful, estimated, corrected }: Marks) {
  const { ctx, bbox } = plot
  const unit = devicePixelRatio
  const y = bbox.top + 5 * unit
  ctx.save()
  ctx.strokeStyle = MARK_INK
  ctx.fillStyle = MARK_INK
  ctx.lineWidth = 2 * unit
  const rule = (spans: TimeRange[], dash: number[], head?: (x: number) => void) => {
    ctx.setLineDash(dash)
    ctx.beginPath()
    for (const span of spans) {
      const visible = clipToPlot(plot, span)
      if (!visible) continue
      ctx.moveTo(visible.x, y)
      ctx.lineTo(Math.max(visible.end, visible.x + 2 * unit), y)
      head?.(visible.x)
    }
    ctx.stroke()
  }
  rule(estimated, [2 * unit, 3 * unit])
  for (const span of doubtful) drawTeeth(plot, clipToPlot(plot, span), y)
  rule(corrected, [], (x) => {
    ctx.fill(
      new Path2D(`M${x} ${y - 4 * unit}l${4 * unit} ${4 * unit}l${-4 * unit} ${4 * unit}l${-4 * unit} ${-4 * unit}z`),
    )
  })
  ctx.restore()
}

function drawTeeth({ ctx }: uPlot, visible: { x: number; end: number } | null, y: number) {
  if (!visible) return
  const tooth = 3 * devicePixelRatio
  ctx.setLineDash([])
  ctx.beginPath()
  ctx.moveTo(visible.x, y + tooth)
  for (let n = 1; n === 1 || visible.x + n * tooth <= visible.end; n++)
    ctx.lineTo(visible.x + n * tooth, y + (n % 2 === 1 ? -tooth : tooth))
  ctx.stroke()
}

/** Over the curves: the zero line, strong. */
function drawZero(plot: uPlot) {
  const { left, width } = plot.bbox
  const y = Math.round(plot.valToPos(0, 'y', true)) + 0.5
  plot.ctx.save()
  plot.ctx.setLineDash([])
  plot.ctx.strokeStyle = '#64748B'
  plot.ctx.lineWidth = devicePixelRatio
  plot.ctx.beginPath()
  plot.ctx.moveTo(left, y)
  plot.ctx.lineTo(left + width, y)
  plot.ctx.stroke()
  plot.ctx.restore()
}
