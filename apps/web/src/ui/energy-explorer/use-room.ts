import { useWidth } from '../use-width.ts'

/** What the axis and the margin take of a drawing. */
const AXIS = 64

const pixels = (width: number) =>
  Math.min(4000, Math.max(50, Math.floor((width - AXIS) * Math.max(1, window.devicePixelRatio))))

/** How many pixels a drawing has across, known before anything is asked for. */
export function useRoom() {
  const [ref, width] = useWidth<HTMLDivElement>(0)
  return [ref, pixels(width || window.innerWidth)] as const
}
