import { addDays, dayOf } from '@voisol/energy/calendar'
import { useEffect, useMemo } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { formatInstantLabel } from '../chart/text.ts'
import type { TimeRange } from '../chart/types.ts'
import { findIndexRange, getFullRange, isFullRange } from '../chart/zoom.ts'
import { formatDayRange, formatFullDay } from '../period/label.ts'
import { sliceChartData, sortSeries, summarizeIndexRange } from './model.ts'
import { computeNights } from './night.ts'
import { buildCurveSummary } from './summary.ts'
import { type CurveDataInput, useCurveData } from './use-drawn.ts'

export const capitalize = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

/** « du 3 au 9 novembre 2026 », or the two hours inside one day. */
export function formatMinuteRange(from: number, to: number) {
  const [first, last] = [dayOf(from), dayOf(to - 1)]
  return addDays(first, 1) > last
    ? `du ${formatDateTime(from * 60_000)} au ${formatDateTime(to * 60_000)}`
    : formatDayRange(first, last)
}

type ExplorerInput = CurveDataInput & {
  label?: string
  place?: { lat: number; lon: number }
  /** Told of the part that is looked at, so that it can be had more finely. */
  onSpan?: (span: TimeRange) => void
}

const getStepName = (step: number) => (step < 1440 ? 'pas' : step === 1440 ? 'jour' : 'mois')

/** Everything a curve says about the part of it that is shown. */
export function useExplorer(input: ExplorerInput) {
  const { place, onSpan } = input
  const { whole, shown: part, limits, view, daily, ...detail } = useCurveData(input, onSpan !== undefined)
  const { data, series, step, startsAt, measure } = part
  useEffect(() => onSpan?.(view.span), [onSpan, view.span])
  const ordered = useMemo(() => sortSeries(series), [series])
  const nights = useMemo(() => computeNights(getFullRange(limits), place), [limits, place])
  const [first, end] = findIndexRange(data.times, view.span)
  const facts = useMemo(() => summarizeIndexRange(ordered, first, end), [ordered, first, end])
  const shown = useMemo(() => sliceChartData(data, first, end), [data, first, end])
  const minute = (index: number) => (data.times[index] ?? (data.times.at(-1) ?? 0) + step * 60) / 60
  const label = isFullRange(view.span, limits)
    ? (input.label ?? formatDayRange(dayOf(startsAt), dayOf(minute(data.times.length) - 1)))
    : formatMinuteRange(minute(first), minute(end))
  const summary = useMemo(() => {
    const at = (index: number) => `${step > 1440 ? 'en' : 'le'} ${formatInstantLabel(data, data.times[index] ?? 0)}`
    return buildCurveSummary({
      series: ordered,
      measure,
      step,
      first,
      end,
      label: capitalize(label),
      at,
      stepName: getStepName(step),
    })
  }, [ordered, measure, data, step, first, end, label])
  const shared = { data, series: ordered, measure, step }
  const [from, to] = daily && view.index !== null ? daily.bounds.slice(view.index, view.index + 2) : []
  // A day under the cursor shows its own totals, not those of its first quarter hour.
  const readout =
    from !== undefined && to !== undefined
      ? {
          ...shared,
          index: null,
          label: formatFullDay(dayOf(minute(from))),
          facts: summarizeIndexRange(ordered, from, to),
        }
      : { ...shared, index: view.index, label, facts }
  const drawn = daily ?? data
  return {
    whole: whole.data,
    drawn,
    limits,
    view,
    nights,
    facts,
    shown,
    summary,
    readout,
    daily: daily !== null,
    ...detail,
  }
}
