import type uPlot from 'uplot'
import type { ChartData, Span } from './types.ts'

/** Where nothing measured is known; a forecast does not fill a gap. */
export function gapsOf({ times, series }: ChartData): Span[] {
  const measured = series.filter((one) => one.kind !== 'dashed')
  const gaps: Span[] = []
  if (measured.length === 0) return gaps
  times.forEach((instant, index) => {
    if (measured.some((one) => (one.values[index] ?? null) !== null)) return
    const last = gaps.at(-1)
    const [from, to] = [times[index - 1] ?? instant, times[index + 1] ?? instant]
    if (last && last[1] >= instant) last[1] = to
    else gaps.push([from, to])
  })
  return gaps
}

function hatch(context: CanvasRenderingContext2D) {
  const tile = document.createElement('canvas')
  const size = Math.round(8 * devicePixelRatio)
  tile.width = size
  tile.height = size
  const pen = tile.getContext('2d')
  if (!pen) return '#F1F5F9'
  pen.strokeStyle = '#CBD5E1'
  pen.lineWidth = devicePixelRatio
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size)
    pen.lineTo(shift + size, 0)
  }
  pen.stroke()
  return context.createPattern(tile, 'repeat') ?? '#F1F5F9'
}

function fillSpans(plot: uPlot, spans: Span[], fill: string | CanvasPattern) {
  const { left, top, width, height } = plot.bbox
  plot.ctx.fillStyle = fill
  for (const [from, to] of spans) {
    const x = Math.max(left, plot.valToPos(from, 'x', true))
    const end = Math.min(left + width, plot.valToPos(to, 'x', true))
    if (end > x) plot.ctx.fillRect(x, top, end - x, height)
  }
}

/** Behind the curves: night as a light veil, gaps hatched. */
export function drawBackground(plot: uPlot, nights: Span[], gaps: Span[]) {
  plot.ctx.save()
  fillSpans(plot, nights, 'rgb(30 58 138 / 0.05)')
  if (gaps.length > 0) fillSpans(plot, gaps, hatch(plot.ctx))
  plot.ctx.restore()
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
