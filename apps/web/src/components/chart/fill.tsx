import type { FillPattern } from './series.ts'

export type BarSeries = { label: string; color: string; pattern?: FillPattern }

/** A fill that differs by its shape as well as by its colour. */
export const BarPattern = ({ id, series }: { id: string; series: BarSeries }) => (
  <pattern
    id={id}
    width="6"
    height="6"
    patternUnits="userSpaceOnUse"
    patternTransform={series.pattern === 'hatched' || series.pattern === 'open' ? 'rotate(45)' : undefined}
  >
    <rect width="6" height="6" fill={series.pattern === 'open' ? '#f1f5f9' : series.color} />
    {series.pattern === 'open' && <rect width="2" height="6" fill={series.color} />}
    {series.pattern === 'hatched' && <rect width="1.5" height="6" fill="#fff" opacity="0.55" />}
    {series.pattern === 'barred' && <rect width="6" height="1.5" fill="#fff" opacity="0.55" />}
    {series.pattern === 'dotted' && <circle cx="3" cy="3" r="1.1" fill="#fff" opacity="0.8" />}
  </pattern>
)

/** A canvas knows no CSS variable: the colour is read once from the page. */
export function resolveColour(color: string, element: Element) {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1]
  return name ? getComputedStyle(element).getPropertyValue(name).trim() : color
}

type FillTile = { ground: string; ink: string; size: number; pattern: FillPattern }

function drawTile(pen: CanvasRenderingContext2D, { ground, ink, pattern }: FillTile, size: number) {
  pen.fillStyle = ground
  pen.fillRect(0, 0, size, size)
  pen.strokeStyle = ink
  pen.fillStyle = ink
  pen.lineWidth = devicePixelRatio
  pen.beginPath()
  if (pattern === 'dotted') pen.arc(size / 2, size / 2, 1.1 * devicePixelRatio, 0, 7)
  else if (pattern === 'barred') {
    pen.moveTo(0, size / 2)
    pen.lineTo(size, size / 2)
  } else
    for (const shift of [-size, 0, size]) {
      pen.moveTo(shift, size)
      pen.lineTo(shift + size, 0)
    }
  if (pattern === 'dotted') pen.fill()
  else pen.stroke()
}

/** A fill that repeats, sharp on any screen; the ground alone where there is no canvas. */
export function createTileFill(context: CanvasRenderingContext2D, tile: FillTile) {
  const canvas = document.createElement('canvas')
  const size = Math.round(tile.size * devicePixelRatio)
  canvas.width = size
  canvas.height = size
  const pen = canvas.getContext('2d')
  if (!pen || tile.pattern === 'plain') return tile.ground
  drawTile(pen, tile, size)
  return context.createPattern(canvas, 'repeat') ?? tile.ground
}

export const createHatchFill = (context: CanvasRenderingContext2D) =>
  createTileFill(context, { ground: '#F8FAFC', ink: '#CBD5E1', size: 8, pattern: 'hatched' })
