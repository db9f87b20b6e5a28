import { useWidth } from '../use-width.ts'

/** What the axis and the margin take of a drawing. */
const AXIS_WIDTH = 64

const toDrawingPixels = (width: number) =>
  Math.min(4000, Math.max(50, Math.floor((width - AXIS_WIDTH) * Math.max(1, window.devicePixelRatio))))

/** How many pixels a drawing has across, known before anything is asked for. */
export function useDrawingWidth() {
  const [ref, width] = useWidth<HTMLDivElement>(0)
  return [ref, toDrawingPixels(width || window.innerWidth)] as const
}
