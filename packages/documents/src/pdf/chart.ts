import { drawArtifact, drawTagged, ensureSpace, type PdfWriter } from './document.ts'
import { drawText } from './frame.ts'
import { formatNumber, formatPercentValue } from './pdf-number-formats.ts'
import { COLOURS } from './style.ts'
import { measureText, TEXT_STYLES } from './text.ts'

type ChartSeries = {
  label: string
  /** Null where unknown: neither a bar nor a part of the line is drawn. */
  values: (number | null)[]
  colour: string /** Below zero. */
  negative?: string
  dashed?: boolean
}
type PdfChartData = {
  series: ChartSeries[]
  /** Label below each group; an empty one is not drawn. */
  names: string[]
  unit: string
  /** A text alternative. */
  alt: string
  height?: number
  shape?: 'bars' | 'lines'
  /** An annotation at one group. */
  mark?: { at: number; text: string }
}
type Plot = { x: number; y: number; width: number; height: number; low: number; high: number }

/** Round steps, about six of them. */
export function computeTicks(low: number, high: number): number[] {
  const span = Math.max(high - low, 1e-9)
  const rough = span / 6
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((part) => part * power).find((part) => part >= rough) ?? rough
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}

const toY = ({ y, height, low, high }: Plot, value: number) => y + height - ((value - low) / (high - low)) * height
const countDecimals = (ticks: number[]) => {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0))
  return step >= 1 ? (Number.isInteger(step) ? 0 : 1) : Math.min(3, Math.ceil(-Math.log10(step)) + 1)
}

function drawAxis(sheet: PdfWriter, plot: Plot, ticks: number[], unit: string) {
  const { doc } = sheet
  for (const tick of ticks) {
    const y = toY(plot, tick)
    doc.moveTo(plot.x, y).lineTo(plot.x + plot.width, y)
    doc
      .lineWidth(tick === 0 ? 0.9 : 0.4)
      .strokeColor(tick === 0 ? COLOURS.faint : COLOURS.hairline)
      .stroke()
    drawText(
      doc,
      formatNumber(tick, countDecimals(ticks)),
      { ...TEXT_STYLES.small, tabular: true },
      plot.x - 6,
      y + 2.6,
      'end',
    )
  }
  drawText(doc, unit, TEXT_STYLES.small, plot.x - 6, plot.y - 7, 'end')
}

function drawBars({ doc }: PdfWriter, plot: Plot, { series, names }: PdfChartData) {
  const group = plot.width / Math.max(1, names.length)
  const width = Math.min(22, (group * 0.72) / series.length)
  const zero = toY(plot, 0)
  for (const [which, { values, colour, negative }] of series.entries())
    for (const [at, value] of values.entries()) {
      if (value === null) continue
      const x = plot.x + group * (at + 0.5) + (which - series.length / 2) * width
      const top = Math.min(zero, toY(plot, value))
      const height = Math.abs(zero - toY(plot, value))
      if (height > 0.1) doc.rect(x + 0.5, top, width - 1, height).fill(value < 0 ? (negative ?? colour) : colour)
    }
}

function drawCurves({ doc }: PdfWriter, plot: Plot, { series, names }: PdfChartData) {
  const group = plot.width / Math.max(1, names.length)
  for (const { values, colour, dashed } of series) {
    for (const [at, value] of values.entries()) {
      if (value === null) continue
      const [x, y] = [plot.x + group * (at + 0.5), toY(plot, value)]
      if (at === 0 || values[at - 1] === null) doc.moveTo(x, y)
      else doc.lineTo(x, y)
    }
    if (dashed) doc.dash(4, { space: 2 })
    doc.lineWidth(1.6).lineJoin('round').strokeColor(colour).stroke().undash()
  }
}

function drawLegend(sheet: PdfWriter, { series, shape }: PdfChartData, x: number, y: number) {
  const { doc } = sheet
  let at = x
  for (const { label, colour, dashed } of series) {
    if (shape === 'lines') {
      if (dashed) doc.dash(4, { space: 2 })
      doc
        .moveTo(at, y - 2.5)
        .lineTo(at + 14, y - 2.5)
        .lineWidth(1.6)
        .strokeColor(colour)
        .stroke()
        .undash()
    } else doc.roundedRect(at + 3, y - 6, 8, 7, 1.5).fill(colour)
    drawText(doc, label, TEXT_STYLES.label, at + 18, y)
    at += 34 + measureText(doc, TEXT_STYLES.label, label)
  }
}

function drawMark(sheet: PdfWriter, plot: Plot, { mark, names }: PdfChartData) {
  if (!mark) return
  const { doc } = sheet
  const x = plot.x + (plot.width / names.length) * mark.at
  doc
    .moveTo(x, plot.y)
    .lineTo(x, plot.y + plot.height)
    .dash(2, { space: 2 })
    .lineWidth(0.7)
  doc.strokeColor(COLOURS.faint).stroke().undash()
  const end = x > plot.x + plot.width * 0.6
  drawText(
    doc,
    mark.text,
    { ...TEXT_STYLES.label, face: '600' },
    end ? x - 6 : x + 6,
    plot.y + 8,
    end ? 'end' : 'start',
  )
}

/** A chart over the whole width, drawn as vectors. */
export function drawChart(sheet: PdfWriter, data: PdfChartData, after = 12) {
  const height = data.height ?? 170
  const legend = data.series.length > 1 ? 18 : 0
  ensureSpace(sheet, height)
  const all = data.series.flatMap(({ values }) => values.flatMap((value) => value ?? []))
  const ticks = computeTicks(Math.min(0, ...all), Math.max(0, ...all) || 1)
  const { doc, left, width, y } = sheet
  const widest = Math.max(
    ...ticks.map((tick) => measureText(doc, TEXT_STYLES.small, formatNumber(tick, countDecimals(ticks)))),
  )
  const plot = {
    x: left + widest + 10,
    y: y + legend + 14,
    width: width - widest - 10,
    height: height - legend - 32,
    low: ticks[0] ?? 0,
    high: ticks.at(-1) ?? 1,
  }
  const draw = () => {
    drawAxis(sheet, plot, ticks, data.unit)
    if (data.shape === 'lines') drawCurves(sheet, plot, data)
    else drawBars(sheet, plot, data)
    if (legend) drawLegend(sheet, data, plot.x - 3, y + 8)
    drawMark(sheet, plot, data)
    const group = plot.width / Math.max(1, data.names.length)
    for (const [at, name] of data.names.entries())
      drawText(doc, name, TEXT_STYLES.small, plot.x + group * (at + 0.5), plot.y + plot.height + 12, 'center')
  }
  drawTagged(sheet, 'Figure', draw, { alt: data.alt })
  sheet.y += height + after
}

/** A line across the page. */
export const drawRule = (sheet: PdfWriter) =>
  drawArtifact(sheet, (doc) => {
    doc.moveTo(sheet.left, sheet.y).lineTo(sheet.left + sheet.width, sheet.y)
    doc.lineWidth(0.5).strokeColor(COLOURS.hairline).stroke()
  })

type PdfShare = { name: string; percent: number }

const ROW_HEIGHT = 17
const NAMES_WIDTH_SHARE = 0.42

/** Cut at the end of the column: the full name is in the table. */
function shortenText(doc: PDFKit.PDFDocument, name: string, width: number): string {
  if (measureText(doc, TEXT_STYLES.label, name) <= width) return name
  let text = name
  while (text.length > 1 && measureText(doc, TEXT_STYLES.label, `${text}…`) > width) text = text.slice(0, -1)
  return `${text.trimEnd()}…`
}

/** One horizontal bar each, scaled to the largest. */
export function drawShareBars(
  sheet: PdfWriter,
  rows: PdfShare[],
  alt: string,
  colour: string = COLOURS.sun,
  after = 12,
) {
  ensureSpace(sheet, ROW_HEIGHT * rows.length)
  const { doc, left, width, y } = sheet
  const start = left + width * NAMES_WIDTH_SHARE
  const longest = width * (1 - NAMES_WIDTH_SHARE) - 44
  const most = Math.max(...rows.map((row) => row.percent), 1e-9)
  const draw = () => {
    for (const [at, row] of rows.entries()) {
      const middle = y + ROW_HEIGHT * at + ROW_HEIGHT / 2
      drawText(
        doc,
        shortenText(doc, row.name, width * NAMES_WIDTH_SHARE - 12),
        TEXT_STYLES.label,
        start - 8,
        middle + 2.8,
        'end',
      )
      const long = Math.max(1, (longest * row.percent) / most)
      doc.roundedRect(start, middle - 5, long, 10, 2).fill(colour)
      drawText(
        doc,
        formatPercentValue(row.percent),
        { ...TEXT_STYLES.label, tabular: true },
        start + long + 6,
        middle + 2.8,
      )
    }
  }
  drawTagged(sheet, 'Figure', draw, { alt })
  sheet.y += ROW_HEIGHT * rows.length + after
}
