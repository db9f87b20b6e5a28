import { useLayoutEffect, useState } from 'react'
import { useWidth } from '../use-width.ts'

/** What the axis and the margin take of a drawing. */
const AXIS = 64

const pixels = (width: number) =>
  Math.min(4000, Math.max(50, Math.floor((width - AXIS) * Math.max(1, window.devicePixelRatio))))

/** How many pixels a drawing has across, known before anything is asked for. */
export function useRoom() {
  const [ref, width] = useWidth<HTMLDivElement>(0)
  const [first, setFirst] = useState(0)
  useLayoutEffect(() => setFirst(ref.current?.clientWidth ?? 0), [ref])
  return [ref, pixels(width || first || window.innerWidth)] as const
}
