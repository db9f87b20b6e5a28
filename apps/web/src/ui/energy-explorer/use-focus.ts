import { coarser, type Granularity, granularityFor } from '@voisol/contract/granularity'
import { addDays, dayOf, daysBetween } from '@voisol/energy/calendar'
import { useCallback, useRef, useState } from 'react'
import type { Span } from '../chart/types.ts'
import type { ExplorerSeries } from '../curve-explorer/model.ts'
import type { Finer } from '../curve-explorer/use-drawn.ts'
import type { Period } from '../period/period.ts'

export type Days = { from: string; to: string }
/** Epoch minutes; all steps of one length where `step` is not 0. */
export type Drawn = { series: ExplorerSeries[]; starts: number[]; step: number }
export type Focus = Days & { granularity: Granularity }

/** While a finger still moves nothing is asked for. */
const PAUSE = 150

/** The days that a part of a curve lies in, where they can be had at a finer step than the whole. */
export function focusOf([from, to]: Span, whole: Granularity, room: number): Focus | null {
  const [first, last] = [dayOf(Math.floor(from / 60)), dayOf(Math.ceil(to / 60) - 1)]
  const end = addDays(last, 1)
  const granularity = granularityFor(daysBetween(first, end), room)
  const finer = granularity !== whole && coarser(granularity, whole) === whole
  return finer && granularity !== 'day' && granularity !== 'month' ? { from: first, to: end, granularity } : null
}

/** The same days of the period that is laid over the first. */
export function alongside(focus: Focus, period: Period, other: Period): Focus {
  const from = addDays(other.from, daysBetween(period.from, focus.from))
  return { ...focus, from, to: addDays(from, daysBetween(focus.from, focus.to)) }
}

export const asFiner = ({ series, starts, step }: Drawn): Finer | null =>
  starts[0] === undefined || step === 0 ? null : { series, startsAt: starts[0], step }

/** What is looked at of a curve, a moment after the looking came to rest; another curve starts anew. */
export function useFocus(whole: Granularity, room: number, key: string) {
  const [seen, setSeen] = useState<{ key: string; focus: Focus | null }>({ key, focus: null })
  const timer = useRef(0)
  const onSpan = useCallback(
    (span: Span) => {
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(() => setSeen({ key, focus: focusOf(span, whole, room) }), PAUSE)
    },
    [whole, room, key],
  )
  return { focus: seen.key === key ? seen.focus : null, onSpan }
}
