import { number } from '../../lib/format.ts'
import { resolveColour } from './fill.ts'
import { BEFORE, instantLabel, markWord } from './text.ts'
import { type ChartData, isBefore } from './types.ts'

// A spreadsheet would run a cell that begins with one of these.
const cell = (text: string) => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[;"\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
const decimal = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : String(value).replace('.', ',')

/** French spreadsheets: semicolons, decimal comma, and the mark that says UTF-8. */
export const csv = (rows: string[][]) => `\ufeff${rows.map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`

const BOUNDS = ['au moins', 'au plus']

/** A series with corrected or estimated values is followed by a column that says which, a forecast by its bounds. */
export function chartCsv(data: ChartData) {
  const { times, series, unit } = data
  const head = [
    data.timeLabel ? 'Période' : 'Date et heure',
    ...series.flatMap((one) => [
      `${one.label} (${unit})`,
      ...(one.band ? BOUNDS.map((bound) => `${one.label}, ${bound} (${unit})`) : []),
      ...(one.marks ? [`${one.label}, qualité`] : []),
    ]),
  ]
  const rows = times.map((instant, index) =>
    [
      cell(instantLabel(data, instant).replace(/ à\u00a0/, ' ')),
      ...series.flatMap((one) => [
        decimal(one.values[index]),
        ...(one.band ? [decimal(one.band.low[index]), decimal(one.band.high[index])] : []),
        ...(one.marks ? [quality(one, index)] : []),
      ]),
    ].join(';'),
  )
  return `\ufeff${[head.map(cell).join(';'), ...rows].join('\r\n')}\r\n`
}

const quality = (one: ChartData['series'][number], index: number) => {
  if (isBefore(one, index)) return BEFORE
  return (one.values[index] ?? null) === null ? 'manquant' : (markWord(one.marks?.[index]) ?? 'mesuré')
}

export const saveCsv = (title: string, text: string) =>
  save(`${fileName(title)}.csv`, new Blob([text], { type: 'text/csv;charset=utf-8' }))

export function save(name: string, content: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

export const fileName = (title: string) =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const HEAD = 64

function drawHead(context: CanvasRenderingContext2D, title: string, data: ChartData, element: Element) {
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
export function chartImage(frame: HTMLElement, title: string, data: ChartData) {
  const drawing = frame.querySelector('canvas')
  const sheet = document.createElement('canvas')
  const context = sheet.getContext('2d')
  if (!drawing || !context) return Promise.resolve(null)
  const ratio = drawing.width / drawing.clientWidth
  sheet.width = drawing.width
  sheet.height = drawing.height + HEAD * ratio
  context.fillStyle = '#FFFFFF'
  context.fillRect(0, 0, sheet.width, sheet.height)
  context.drawImage(drawing, 0, HEAD * ratio)
  context.scale(ratio, ratio)
  drawHead(context, title, data, frame)
  return new Promise<Blob | null>((resolve) => sheet.toBlob(resolve, 'image/png'))
}

async function pictureOf(svg: SVGSVGElement) {
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

const RATIO = 2
const EDGE = 16

/** A drawing made of vectors, with its title and its legend, on white, at twice its size. */
export async function svgImage(svg: SVGSVGElement, title: string, data: ChartData) {
  const image = await pictureOf(svg)
  const sheet = document.createElement('canvas')
  const context = sheet.getContext('2d')
  if (!context) return null
  sheet.width = (svg.clientWidth + 2 * EDGE) * RATIO
  sheet.height = (svg.clientHeight + HEAD + EDGE) * RATIO
  context.fillStyle = '#FFFFFF'
  context.fillRect(0, 0, sheet.width, sheet.height)
  context.scale(RATIO, RATIO)
  context.drawImage(image, EDGE, HEAD, svg.clientWidth, svg.clientHeight)
  drawHead(context, title, data, svg)
  return new Promise<Blob | null>((resolve) => sheet.toBlob(resolve, 'image/png'))
}

export const tableNumber = (value: number | null | undefined) =>
  value === null || value === undefined ? 'manquant' : number(value, 2)
