import { createHatchFill } from '../chart/fill.ts'
import { findPeakValue, getShade, type HeatCell, type HeatData, type Hue } from './model.ts'

/** All cells at the resolution of the screen; a hole is hatched, the cursor framed. */
export function drawHeatMap(canvas: HTMLCanvasElement, data: HeatData, hue: Hue, cursor: HeatCell | null) {
  const context = canvas.getContext('2d')
  if (!context) return
  const ratio = devicePixelRatio
  canvas.width = Math.round(canvas.clientWidth * ratio)
  canvas.height = Math.round(canvas.clientHeight * ratio)
  const peak = findPeakValue(data) || 1
  const missing = createHatchFill(context)
  // Whole pixels, so that no seam shows between two cells.
  const x = (day: number) => Math.round((day / data.days.length) * canvas.width)
  const y = (hour: number) => Math.round((hour / 24) * canvas.height)
  const gap = canvas.width / data.days.length > 6 * ratio ? ratio : 0
  data.hours.forEach((hours, day) => {
    for (let hour = 0; hour < 24; hour++) {
      const value = hours[hour] ?? null
      context.fillStyle = value === null ? missing : getShade(hue, value / peak)
      context.fillRect(x(day), y(hour), x(day + 1) - x(day) - gap, y(hour + 1) - y(hour) - gap)
    }
  })
  if (!cursor) return
  const [left, top] = [x(cursor.day), y(cursor.hour)]
  const size = [Math.max(4 * ratio, x(cursor.day + 1) - left), y(cursor.hour + 1) - top] as const
  context.lineWidth = 2 * ratio
  context.strokeStyle = '#FFFFFF'
  context.strokeRect(left - ratio, top - ratio, size[0] + 2 * ratio, size[1] + 2 * ratio)
  context.strokeStyle = '#0F172A'
  context.strokeRect(left, top, size[0], size[1])
}
