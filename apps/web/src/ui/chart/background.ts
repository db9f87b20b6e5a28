import type uPlot from 'uplot'
import { hatch } from './fill.ts'
import { type ChartData, isBefore, isMeasured, type Series, type Span } from './types.ts'

/** Beyond the last measured value a forecast speaks of what has not come yet: nothing is missing there. */
function endOf({ times, series }: ChartData): number {
  if (!series.some(({ kind }) => kind === 'dashed')) return times.length
  const last = (one: Series) => one.values.findLastIndex((value) => value !== null)
  return 1 + Math.max(-1, ...series.filter(isMeasured).map(last))
}

/** Where nothing measured is known; a forecast or another period does not fill a gap. */
export function gapsOf(data: ChartData): Span[] {
  const { times, series } = data
  const measured = series.filter(isMeasured)
  const gaps: Span[] = []
  if (measured.length === 0) return gaps
  const end = endOf(data)
  times.forEach((instant, index) => {
    if (index >= end || measured.some((one) => (one.values[index] ?? null) !== null || isBefore(one, index))) return
    const last = gaps.at(-1)
    const [from, to] = [times[index - 1] ?? instant, times[index + 1] ?? instant]
    if (last && last[1] >= instant) last[1] = to
    else gaps.push([from, to])
  })
  return gaps
}

/** Where a measured series carries a mark, from each marked step to the next one. */
export function markedSpans({ times, series }: ChartData, mark: number): Span[] {
  const marked = series.filter((one) => isMeasured(one) && one.marks)
  const spans: Span[] = []
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

function clipped(plot: uPlot, [from, to]: Span) {
  const { left, width } = plot.bbox
  const x = Math.max(left, plot.valToPos(from, 'x', true))
  const end = Math.min(left + width, plot.valToPos(to, 'x', true))
  return end > x ? { x, end } : null
}

function fillSpans(plot: uPlot, spans: Span[], fill: string | CanvasPattern) {
  const { top, height } = plot.bbox
  plot.ctx.fillStyle = fill
  for (const span of spans) {
    const seen = clipped(plot, span)
    if (seen) plot.ctx.fillRect(seen.x, top, seen.end - seen.x, height)
  }
}

const NIGHTS_UP_TO = 10 * 86_400
/** Beyond ten days the stripes of nights would hide the curves. */
export const showsNights = (from: number, to: number) => to - from <= NIGHTS_UP_TO

/** Behind the curves: night as a light veil, gaps hatched. */
export function drawBackground(plot: uPlot, nights: Span[], gaps: Span[]) {
  plot.ctx.save()
  const { min = 0, max = 0 } = plot.scales.x ?? {}
  if (showsNights(min, max)) fillSpans(plot, nights, 'rgb(30 58 138 / 0.05)')
  if (gaps.length > 0) fillSpans(plot, gaps, hatch(plot.ctx))
  plot.ctx.restore()
}

const MARK_INK = '#334155'

type Marks = Record<'doubtful' | 'estimated' | 'corrected', Span[]>

/** Over the curves, at the top: estimated as a dotted rule, corrected as a rule that begins with a diamond, doubtful as teeth. */
export function drawMarks(plot: uPlot, { doubtful, estimated, corrected }: Marks) {
  const { ctx, bbox } = plot
  const unit = devicePixelRatio
  const y = bbox.top + 5 * unit
  ctx.save()
  ctx.strokeStyle = MARK_INK
  ctx.fillStyle = MARK_INK
  ctx.lineWidth = 2 * unit
  const rule = (spans: Span[], dash: number[], head?: (x: number) => void) => {
    ctx.setLineDash(dash)
    ctx.beginPath()
    for (const span of spans) {
      const seen = clipped(plot, span)
      if (!seen) continue
      ctx.moveTo(seen.x, y)
      ctx.lineTo(Math.max(seen.end, seen.x + 2 * unit), y)
      head?.(seen.x)
    }
    ctx.stroke()
  }
  rule(estimated, [2 * unit, 3 * unit])
  for (const span of doubtful) drawTeeth(plot, clipped(plot, span), y)
  rule(corrected, [], (x) => {
    ctx.fill(
      new Path2D(`M${x} ${y - 4 * unit}l${4 * unit} ${4 * unit}l${-4 * unit} ${4 * unit}l${-4 * unit} ${-4 * unit}z`),
    )
  })
  ctx.restore()
}

function drawTeeth({ ctx }: uPlot, seen: { x: number; end: number } | null, y: number) {
  if (!seen) return
  const tooth = 3 * devicePixelRatio
  ctx.setLineDash([])
  ctx.beginPath()
  ctx.moveTo(seen.x, y + tooth)
  for (let n = 1; n === 1 || seen.x + n * tooth <= seen.end; n++)
    ctx.lineTo(seen.x + n * tooth, y + (n % 2 === 1 ? -tooth : tooth))
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
