import { type KeyboardEvent, useState } from 'react'
import type { TimeRange } from './series.ts'

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

const getFullRangeOfTimes = (times: number[]): TimeRange => [times[0] ?? 0, times.at(-1) ?? 0]
export const getFullRange = getFullRangeOfTimes

const MIN_VISIBLE_STEPS = 4
const getMinLength = (times: number[]) => {
  const [from, to] = getFullRangeOfTimes(times)
  return times.length > 1 ? ((to - from) / (times.length - 1)) * MIN_VISIBLE_STEPS : 0
}

/** Keeps a span inside the data, with its length where it can. */
export function clampTimeRange([from, to]: TimeRange, times: number[]): TimeRange {
  const [first, last] = getFullRangeOfTimes(times)
  const length = Math.min(last - first, Math.max(to - from, getMinLength(times)))
  const start = Math.min(Math.max(from, first), last - length)
  return [start, start + length]
}

/** Above 1 shows more, below 1 shows less, around the middle. */
export function zoomTimeRange([from, to]: TimeRange, factor: number, times: number[]) {
  const middle = (from + to) / 2
  const half = (Math.max(to - from, getMinLength(times)) / 2) * factor
  return clampTimeRange([middle - half, middle + half], times)
}

/** The span before or after, of the same length. */
export const shiftTimeRange = ([from, to]: TimeRange, direction: -1 | 1, times: number[]) =>
  clampTimeRange([from + direction * (to - from), to + direction * (to - from)], times)

export const isFullRange = (span: TimeRange, times: number[]) => {
  const [first, last] = getFullRangeOfTimes(times)
  return span[0] <= first && span[1] >= last
}

/** The same, around an instant that stays where it is. */
export const zoomTimeRangeAround = ([from, to]: TimeRange, instant: number, factor: number): TimeRange => [
  instant - (instant - from) * factor,
  instant + (to - instant) * factor,
]

/** First index and the index after the last one inside a span. */
export function findIndexRange(times: ArrayLike<number>, [from, to]: TimeRange): [first: number, end: number] {
  const lowest = (bound: number, strict: boolean) => {
    let [low, high] = [0, times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const instant = times[middle] ?? 0
      if (strict ? instant <= bound : instant < bound) low = middle + 1
      else high = middle
    }
    return low
  }
  return [lowest(from, false), lowest(to, true)]
}
