import { formatNumber } from '../../lib/format.ts'
import { resolveColour } from './fill.tsx'
import { BEFORE_ENTRY_LABEL, type ChartData, formatInstantLabel, getMarkLabel, isBeforeEntry } from './series.ts'

// A spreadsheet would run a cell that begins with one of these.
const escapeCsvCell = (text: string) => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[;"\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
const formatCsvNumber = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : String(value).replace('.', ',')

/** French spreadsheets: semicolons, decimal comma, and the mark that says UTF-8. */
export const buildCsv = (rows: string[][]) =>
  `\ufeff${rows.map((row) => row.map(escapeCsvCell).join(';')).join('\r\n')}\r\n`

const BAND_BOUND_LABELS = ['au moins', 'au plus']

/** A series with corrected or estimated values is followed by a column that says which, a forecast by its bounds. */
export function buildChartCsv(data: ChartData) {
  const { times, series, unit } = data
  const head = [
    data.timeLabel ? 'Période' : 'Date et heure',
    ...series.flatMap((one) => [
      `${one.label} (${unit})`,
      ...(one.band ? BAND_BOUND_LABELS.map((bound) => `${one.label}, ${bound} (${unit})`) : []),
      ...(one.marks ? [`${one.label}, qualité`] : []),
    ]),
  ]
  const rows = times.map((instant, index) =>
    [
      escapeCsvCell(formatInstantLabel(data, instant).replace(/ à\u00a0/, ' ')),
      ...series.flatMap((one) => [
        formatCsvNumber(one.values[index]),
        ...(one.band ? [formatCsvNumber(one.band.low[index]), formatCsvNumber(one.band.high[index])] : []),
        ...(one.marks ? [getQualityLabel(one, index)] : []),
      ]),
    ].join(';'),
  )
  return `\ufeff${[head.map(escapeCsvCell).join(';'), ...rows].join('\r\n')}\r\n`
}

const getQualityLabel = (one: ChartData['series'][number], index: number) => {
  if (isBeforeEntry(one, index)) return BEFORE_ENTRY_LABEL
  return (one.values[index] ?? null) === null ? 'manquant' : (getMarkLabel(one.marks?.[index]) ?? 'mesuré')
}

export const saveCsv = (title: string, text: string) =>
  downloadBlob(`${toFileName(title)}.csv`, new Blob([text], { type: 'text/csv;charset=utf-8' }))

export function downloadBlob(name: string, content: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

export const toFileName = (title: string) =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const HEADER_HEIGHT = 64

function drawHeader(context: CanvasRenderingContext2D, title: string, data: ChartData, element: Element) {
  context.fillStyle = '#0F172A'
  context.font = '600 16px "Inter Variable", system-ui, sans-serif'
  context.fillText(title, 16, 26)
  context.font = '13px "Inter Variable", system-ui, sans-serif'
  let x = 16
  for (const one of data.series) {
    context.fillStyle = resolveColour(one.color, element)
    if (one.kind === 'dashed' || one.kind === 'compared')
      for (const at of [0, 5, 10]) context.fillRect(x + at, 46, 3, 2)
    else context.fillRect(x, one.kind === 'line' ? 46 : 42, 14, one.kind === 'line' ? 3 : 10)
    context.fillStyle = '#475569'
    const words = `${one.label} (${data.unit})`
    context.fillText(words, x + 20, 52)
    x += 44 + context.measureText(words).width
  }
}

/** The drawing with its title and its legend, on white. */
export function renderChartImage(frame: HTMLElement, title: string, data: ChartData) {
  const drawing = frame.querySelector('canvas')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!drawing || !context) return Promise.resolve(null)
  const ratio = drawing.width / drawing.clientWidth
  canvas.width = drawing.width
  canvas.height = drawing.height + HEADER_HEIGHT * ratio
  context.fillStyle = '#FFFFFF'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(drawing, 0, HEADER_HEIGHT * ratio)
  context.scale(ratio, ratio)
  drawHeader(context, title, data, frame)
  return new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
}

async function loadSvgImage(svg: SVGSVGElement) {
  const style = getComputedStyle(svg)
  const copy = new XMLSerializer()
    .serializeToString(svg)
    .replace(/var\((--[\w-]+)\)/g, (whole, name: string) => style.getPropertyValue(name).trim() || whole)
    .replace('<svg', `<svg style="font:${style.fontSize} system-ui, sans-serif;overflow:visible"`)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(copy)}`
  await image.decode()
  return image
}

const IMAGE_SCALE = 2
const IMAGE_MARGIN = 16

/** A drawing made of vectors, with its title and its legend, on white, at twice its size. */
export async function renderSvgImage(svg: SVGSVGElement, title: string, data: ChartData) {
  const image = await loadSvgImage(svg)
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) return null
  canvas.width = (svg.clientWidth + 2 * IMAGE_MARGIN) * IMAGE_SCALE
  canvas.height = (svg.clientHeight + HEADER_HEIGHT + IMAGE_MARGIN) * IMAGE_SCALE
  context.fillStyle = '#FFFFFF'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(IMAGE_SCALE, IMAGE_SCALE)
  context.drawImage(image, IMAGE_MARGIN, HEADER_HEIGHT, svg.clientWidth, svg.clientHeight)
  drawHeader(context, title, data, svg)
  return new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
}

export const formatTableNumber = (value: number | null | undefined) =>
  value === null || value === undefined ? 'manquant' : formatNumber(value, 2)
