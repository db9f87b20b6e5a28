import type uPlot from 'uplot'
import { createHatchFill } from './fill.ts'
import { type ChartData, isBeforeEntry, isMeasuredSeries, type Series, type TimeRange } from './types.ts'

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
export function findMarkedRanges({ times, series }: ChartData, mark: number): TimeRange[] {
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
export function drawBackground(plot: uPlot, nights: TimeRange[], gaps: TimeRange[]) {
  plot.ctx.save()
  const { min = 0, max = 0 } = plot.scales.x ?? {}
  if (shouldShowNights(min, max)) fillRanges(plot, nights, 'rgb(30 58 138 / 0.05)')
  if (gaps.length > 0) fillRanges(plot, gaps, createHatchFill(plot.ctx))
  plot.ctx.restore()
}

const MARK_INK = '#334155'

type Marks = Record<'doubtful' | 'estimated' | 'corrected', TimeRange[]>

/** Over the curves, at the top: estimated as a dotted rule, corrected as a rule that begins with a diamond, doubtful as teeth. */
export function drawMarks(plot: uPlot, { doubtful, estimated, corrected }: Marks) {
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
export function drawZero(plot: uPlot) {
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
