import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { formatTimeRange } from '../chart/text.ts'
import type { TimeRange } from '../chart/types.ts'
import { clampTimeRange, getFullRange } from '../chart/zoom.ts'

export type BrushPart = 'from' | 'window' | 'to'
const BRUSH_LABELS: Record<BrushPart, string> = {
  from: 'Début de la partie affichée',
  window: 'Partie affichée',
  to: 'Fin de la partie affichée',
}

/** The part of the span that is taken, moved by some seconds. */
const moveTimeRange = ([from, to]: TimeRange, part: BrushPart, by: number): TimeRange => [
  part === 'to' ? from : from + by,
  part === 'from' ? to : to + by,
]

/** A span held by its middle or by an end, with the pointer or with the arrow keys. */
export function useBrush(times: number[], span: TimeRange, onSpan: (span: TimeRange) => void) {
  const track = useRef<HTMLDivElement>(null)
  const grabbedRef = useRef<{ part: BrushPart; x: number; span: TimeRange } | null>(null)
  const [first, last] = getFullRange(times)
  const length = last - first || 1
  const place = (instant: number) => ((instant - first) / length) * 100
  const seconds = (pixels: number) => (pixels / (track.current?.clientWidth || 1)) * length
  const choose = ([from, to]: TimeRange) => onSpan(clampTimeRange(from < to ? [from, to] : [to, from], times))

  const jump = (event: PointerEvent<HTMLDivElement>) => {
    const middle = first + seconds(event.clientX - event.currentTarget.getBoundingClientRect().left)
    const half = (span[1] - span[0]) / 2
    choose([middle - half, middle + half])
  }
  const slider = (part: BrushPart) => ({
    role: 'slider',
    tabIndex: 0,
    'aria-label': BRUSH_LABELS[part],
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(place(part === 'to' ? span[1] : span[0])),
    'aria-valuetext': formatTimeRange(...span),
    onPointerDown: (event: PointerEvent) => {
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      grabbedRef.current = { part, x: event.clientX, span }
    },
    onPointerMove: ({ clientX }: PointerEvent) => {
      const grabbed = grabbedRef.current
      if (grabbed) choose(moveTimeRange(grabbed.span, grabbed.part, seconds(clientX - grabbed.x)))
    },
    onPointerUp: () => {
      grabbedRef.current = null
    },
    onKeyDown: (event: KeyboardEvent) => {
      const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
      if (!direction) return
      event.preventDefault()
      choose(moveTimeRange(span, part, (direction * (span[1] - span[0])) / 10))
    },
  })
  return { track, place, jump, slider }
}
