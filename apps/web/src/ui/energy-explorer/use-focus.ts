import { chooseFinestGranularity, type Granularity, getCoarserGranularity } from '@voisol/contract/granularity'
import { addDays, dayOf, daysBetween } from '@voisol/energy/calendar'
import { useCallback, useRef, useState } from 'react'
import type { TimeRange } from '../chart/types.ts'
import type { ExplorerSeries } from '../curve-explorer/model.ts'
import type { FinerSeries } from '../curve-explorer/use-drawn.ts'
import type { Period } from '../period/period.ts'

export type DayRange = { from: string; to: string }
/** Epoch minutes; all steps of one length where `step` is not 0. */
export type ExplorerData = { series: ExplorerSeries[]; starts: number[]; step: number }
export type CurveFocus = DayRange & { granularity: Granularity }

/** While a finger still moves nothing is asked for. */
const FOCUS_DELAY_MS = 150

/** The days that a part of a curve lies in, where they can be had at a finer step than the whole. */
export function computeFocus([from, to]: TimeRange, whole: Granularity, room: number): CurveFocus | null {
  const [first, last] = [dayOf(Math.floor(from / 60)), dayOf(Math.ceil(to / 60) - 1)]
  const end = addDays(last, 1)
  const granularity = chooseFinestGranularity(daysBetween(first, end), room)
  const finer = granularity !== whole && getCoarserGranularity(granularity, whole) === whole
  return finer && granularity !== 'day' && granularity !== 'month' ? { from: first, to: end, granularity } : null
}

/** The same days of the period that is laid over the first. */
export function alignFocus(focus: CurveFocus, period: Period, other: Period): CurveFocus {
  const from = addDays(other.from, daysBetween(period.from, focus.from))
  return { ...focus, from, to: addDays(from, daysBetween(focus.from, focus.to)) }
}

export const toFinerSeries = ({ series, starts, step }: ExplorerData): FinerSeries | null =>
  starts[0] === undefined || step === 0 ? null : { series, startsAt: starts[0], step }

/** What is looked at of a curve, a moment after the looking came to rest; another curve starts anew. */
export function useCurveFocus(whole: Granularity, room: number, key: string) {
  const [seen, setSeen] = useState<{ key: string; focus: CurveFocus | null }>({ key, focus: null })
  const timer = useRef(0)
  const onSpan = useCallback(
    (span: TimeRange) => {
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(() => setSeen({ key, focus: computeFocus(span, whole, room) }), FOCUS_DELAY_MS)
    },
    [whole, room, key],
  )
  return { focus: seen.key === key ? seen.focus : null, onSpan }
}
