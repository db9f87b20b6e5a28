import { dateTime, number } from '../../lib/format.ts'
import { resolveColour } from './options.ts'
import type { ChartData } from './types.ts'

// A spreadsheet would run a cell that begins with one of these.
const cell = (text: string) => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[;"\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
const decimal = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : String(value).replace('.', ',')

/** French spreadsheets: semicolons, decimal comma, and the mark that says UTF-8. */
export function chartCsv({ times, series, unit }: ChartData) {
  const head = ['Date et heure', ...series.map((one) => `${one.label} (${unit})`)].map(cell).join(';')
  const rows = times.map((instant, index) =>
    [dateTime(instant * 1000).replace(/ à\u00a0/, ' '), ...series.map((one) => decimal(one.values[index]))].join(';'),
  )
  return `\ufeff${[head, ...rows].join('\r\n')}\r\n`
}

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
    context.fillRect(x, 42, 14, one.kind === 'stacked' || one.kind === 'area' ? 10 : 3)
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

export const tableNumber = (value: number | null | undefined) =>
  value === null || value === undefined ? 'manquant' : number(value, 2)
