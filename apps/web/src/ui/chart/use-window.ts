import { type KeyboardEvent, useState } from 'react'
import type { Span } from './types.ts'
import { clampSpan, indexRange, shift, wholeSpan, zoomAround } from './zoom.ts'

type Move = { index: number } | { span: Span }

/** `held` is the instant that stays in place when the zoom changes. */
type Limits = { whole: number[]; last: number; held: number }

/** What a key does: arrows move the cursor, page keys or Shift and an arrow the period, plus and minus the zoom. */
function moveFor(key: string, index: number, span: Span, limits: Limits): Move | null {
  const { whole: times, last, held } = limits
  const quarter = (span[1] - span[0]) / 4
  const pan = (by: number): Move => ({ span: clampSpan([span[0] + by, span[1] + by], times) })
  const zoomBy = (factor: number): Move => ({ span: clampSpan(zoomAround(span, held, factor), times) })
  const moves: Record<string, () => Move> = {
    ArrowLeft: () => ({ index: Math.max(0, index - 1) }),
    ArrowRight: () => ({ index: Math.min(last, index + 1) }),
    ShiftArrowLeft: () => pan(-quarter),
    ShiftArrowRight: () => pan(quarter),
    Home: () => ({ index: 0 }),
    End: () => ({ index: last }),
    PageUp: () => ({ span: shift(span, -1, times) }),
    PageDown: () => ({ span: shift(span, 1, times) }),
    '+': () => zoomBy(0.5),
    '=': () => zoomBy(0.5),
    '-': () => zoomBy(2),
    Escape: () => ({ span: wholeSpan(times) }),
  }
  return moves[key]?.() ?? null
}

const keyOf = (event: KeyboardEvent) =>
  event.shiftKey && event.key.startsWith('Arrow') ? `Shift${event.key}` : event.key

/** What is shown of a curve and where its cursor stands; other instants start anew. `stops` says where the cursor may stand. */
export function useWindow(whole: number[], stops: (span: Span) => number[] = () => whole) {
  const [span, setSpan] = useState<Span>(() => wholeSpan(whole))
  const [index, setIndex] = useState<number | null>(null)
  const [seen, setSeen] = useState({ whole, times: whole })
  const shown = seen.whole === whole ? span : wholeSpan(whole)
  const times = stops(shown)
  if (seen.whole !== whole || seen.times !== times) {
    setSeen({ whole, times })
    setSpan(shown)
    setIndex(null)
  }
  const firstVisible = Math.min(indexRange(times, span)[0], Math.max(0, times.length - 1))
  const onKeyDown = (event: KeyboardEvent) => {
    const held = (index === null ? undefined : times[index]) ?? (span[0] + span[1]) / 2
    const move = moveFor(keyOf(event), index ?? firstVisible - 1, span, { whole, last: times.length - 1, held })
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if ('span' in move) return setSpan(move.span)
    setIndex(move.index)
    const instant = times[move.index] ?? span[0]
    const half = (span[1] - span[0]) / 2
    if (instant < span[0] || instant > span[1]) setSpan(clampSpan([instant - half, instant + half], whole))
  }
  return { times, span, setSpan, index, setIndex, firstVisible, onKeyDown }
}

export type Window = ReturnType<typeof useWindow>
