import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { spanText } from '../chart/text.ts'
import type { Span } from '../chart/types.ts'
import { clampSpan, wholeSpan } from '../chart/zoom.ts'

export type Part = 'from' | 'window' | 'to'
const NAMES: Record<Part, string> = {
  from: 'Début de la partie affichée',
  window: 'Partie affichée',
  to: 'Fin de la partie affichée',
}

/** The part of the span that is taken, moved by some seconds. */
const moved = ([from, to]: Span, part: Part, by: number): Span => [
  part === 'to' ? from : from + by,
  part === 'from' ? to : to + by,
]

/** A span held by its middle or by an end, with the pointer or with the arrow keys. */
export function useBrush(times: number[], span: Span, onSpan: (span: Span) => void) {
  const track = useRef<HTMLDivElement>(null)
  const grip = useRef<{ part: Part; x: number; span: Span } | null>(null)
  const [first, last] = wholeSpan(times)
  const length = last - first || 1
  const place = (instant: number) => ((instant - first) / length) * 100
  const seconds = (pixels: number) => (pixels / (track.current?.clientWidth || 1)) * length
  const choose = ([from, to]: Span) => onSpan(clampSpan(from < to ? [from, to] : [to, from], times))

  const jump = (event: PointerEvent<HTMLDivElement>) => {
    const middle = first + seconds(event.clientX - event.currentTarget.getBoundingClientRect().left)
    const half = (span[1] - span[0]) / 2
    choose([middle - half, middle + half])
  }
  const slider = (part: Part) => ({
    role: 'slider',
    tabIndex: 0,
    'aria-label': NAMES[part],
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(place(part === 'to' ? span[1] : span[0])),
    'aria-valuetext': spanText(...span),
    onPointerDown: (event: PointerEvent) => {
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      grip.current = { part, x: event.clientX, span }
    },
    onPointerMove: ({ clientX }: PointerEvent) => {
      const held = grip.current
      if (held) choose(moved(held.span, held.part, seconds(clientX - held.x)))
    },
    onPointerUp: () => {
      grip.current = null
    },
    onKeyDown: (event: KeyboardEvent) => {
      const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
      if (!direction) return
      event.preventDefault()
      choose(moved(span, part, (direction * (span[1] - span[0])) / 10))
    },
  })
  return { track, place, jump, slider }
}
