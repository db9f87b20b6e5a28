import { type KeyboardEvent, useState } from 'react'
import type { TimeRange } from './types.ts'
import { clampTimeRange, findIndexRange, getFullRange, shiftTimeRange, zoomTimeRangeAround } from './zoom.ts'

type ViewMove = { index: number } | { span: TimeRange }

/** `held` is the instant that stays in place when the zoom changes. */
type ViewLimits = { whole: number[]; last: number; held: number }

/** What a key does: arrows move the cursor, page keys or Shift and an arrow the period, plus and minus the zoom. */
function getKeyMove(key: string, index: number, span: TimeRange, limits: ViewLimits): ViewMove | null {
  const { whole: times, last, held: anchor } = limits
  const quarter = (span[1] - span[0]) / 4
  const pan = (by: number): ViewMove => ({ span: clampTimeRange([span[0] + by, span[1] + by], times) })
  const zoomBy = (factor: number): ViewMove => ({
    span: clampTimeRange(zoomTimeRangeAround(span, anchor, factor), times),
  })
  const moves: Record<string, () => ViewMove> = {
    ArrowLeft: () => ({ index: Math.max(0, index - 1) }),
    ArrowRight: () => ({ index: Math.min(last, index + 1) }),
    ShiftArrowLeft: () => pan(-quarter),
    ShiftArrowRight: () => pan(quarter),
    Home: () => ({ index: 0 }),
    End: () => ({ index: last }),
    PageUp: () => ({ span: shiftTimeRange(span, -1, times) }),
    PageDown: () => ({ span: shiftTimeRange(span, 1, times) }),
    '+': () => zoomBy(0.5),
    '=': () => zoomBy(0.5),
    '-': () => zoomBy(2),
    Escape: () => ({ span: getFullRange(times) }),
  }
  return moves[key]?.() ?? null
}

const getKeyName = (event: KeyboardEvent) =>
  event.shiftKey && event.key.startsWith('Arrow') ? `Shift${event.key}` : event.key

/** What is shown of a curve and where its cursor stands; other instants start anew. `stops` says where the cursor may stand. */
export function useChartView(whole: number[], stops: (span: TimeRange) => number[] = () => whole) {
  const [span, setSpan] = useState<TimeRange>(() => getFullRange(whole))
  const [index, setIndex] = useState<number | null>(null)
  const [lastInput, setSeen] = useState({ whole, times: whole })
  const visibleRange = lastInput.whole === whole ? span : getFullRange(whole)
  const times = stops(visibleRange)
  if (lastInput.whole !== whole || lastInput.times !== times) {
    setSeen({ whole, times })
    setSpan(visibleRange)
    setIndex(null)
  }
  const firstVisible = Math.min(findIndexRange(times, span)[0], Math.max(0, times.length - 1))
  const onKeyDown = (event: KeyboardEvent) => {
    const anchor = (index === null ? undefined : times[index]) ?? (span[0] + span[1]) / 2
    const move = getKeyMove(getKeyName(event), index ?? firstVisible - 1, span, {
      whole,
      last: times.length - 1,
      held: anchor,
    })
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if ('span' in move) return setSpan(move.span)
    setIndex(move.index)
    const instant = times[move.index] ?? span[0]
    const half = (span[1] - span[0]) / 2
    if (instant < span[0] || instant > span[1]) setSpan(clampTimeRange([instant - half, instant + half], whole))
  }
  return { times, span, setSpan, index, setIndex, firstVisible, onKeyDown }
}

export type ChartView = ReturnType<typeof useChartView>
