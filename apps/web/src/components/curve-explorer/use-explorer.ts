import { addDays, dayOf } from '@voisol/energy/calendar'
import { useEffect, useMemo, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { findIndexRange, getFullRange, isFullRange, useChartView } from '../chart/chart-view.ts'
import { type ChartData, formatInstantLabel, type TimeRange } from '../chart/series.ts'
import { formatDayRange, formatFullDay, formatMonthYear } from '../period/period-labels.ts'
import { type CurveMeasure, measures } from './energy-measure.ts'
import {
  buildChartData,
  computeNights,
  type ExplorerSeries,
  sliceChartData,
  sortSeries,
  summarizeIndexRange,
  toDailyMeans,
} from './explorer-model.ts'
import { buildCurveSummary } from './summary.ts'

export const capitalize = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

/** « du 3 au 9 novembre 2026 », or the two hours inside one day. */
function formatMinuteRange(from: number, to: number) {
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

/** Steps of one length; of days and months, which are not, `starts` says when each begins. */
type CurveSteps = { startsAt: number; step: number; starts?: number[] }
/** What is known of a part of the curve at a finer step, in watts or in the measure of the whole. */
export type FinerSeries = { series: ExplorerSeries[]; startsAt: number; step: number }

type CurveDataInput = CurveSteps & {
  series: ExplorerSeries[]
  measure: CurveMeasure
  finer?: FinerSeries | null
}

const MIN_DAILY_RANGE_SECONDS = 70 * 86_400
const MIN_MONTH_STEP_MINUTES = 2 * 1440
const QUARTER_HOUR_SECONDS = 900

/** A curve as it is drawn, and what its numbers are made of. */
type CurveData = {
  data: ChartData
  series: ExplorerSeries[]
  measure: CurveMeasure
  step: number
  startsAt: number
}

function toChartData({ series, startsAt, step, starts, measure }: CurveDataInput): ChartData {
  if (!starts) return buildChartData(series, { startsAt, step }, measure)
  const [name, each] =
    step > MIN_MONTH_STEP_MINUTES ? [formatMonthYear, 'month' as const] : [formatFullDay, 'day' as const]
  return { ...buildChartData(series, { starts, each }, measure), timeLabel: (seconds) => name(dayOf(seconds / 60)) }
}

/** Every quarter of an hour until the last step ends: a part may be looked at that is shorter than a step of the whole. */
function listQuarterHours(times: number[], step: number): number[] {
  const [from, last] = getFullRange(times)
  return Array.from(
    { length: (last + step * 60 - from) / QUARTER_HOUR_SECONDS + 1 },
    (_, at) => from + at * QUARTER_HOUR_SECONDS,
  )
}

const coversRange = ({ data: { times }, step }: CurveData, [from, to]: TimeRange) => {
  const [first, last] = getFullRange(times)
  return first <= from && last + step * 60 >= to
}

/** Energies of days become mean powers within them; euros and grams stay what they are. */
const getInnerMeasure = (measure: CurveMeasure) => (measure === measures.energy ? measures.power : measure)

/** The steps, the means of days where the steps would be one solid band (`detailed` asks for the steps all the same), or what is known of a part more finely. */
function useCurveData(input: CurveDataInput, zooms: boolean) {
  const { series, startsAt, step, starts, measure, finer } = input
  const [detailed, setDetailed] = useState(false)
  const whole = useMemo(
    (): CurveData => ({
      data: toChartData({ series, startsAt, step, starts, measure }),
      series,
      measure,
      step,
      startsAt,
    }),
    [series, startsAt, step, starts, measure],
  )
  const fine = useMemo((): CurveData | null => {
    if (!finer) return null
    const own = getInnerMeasure(measure)
    return { ...finer, data: buildChartData(finer.series, finer, own), measure: own }
  }, [finer, measure])
  const { data } = whole
  const limits = useMemo(() => (zooms ? listQuarterHours(data.times, step) : data.times), [zooms, data, step])
  const days = useMemo(() => {
    const [from, to] = getFullRange(data.times)
    return to - from > MIN_DAILY_RANGE_SECONDS && step < 1440 ? toDailyMeans(data, startsAt, step) : null
  }, [data, startsAt, step])
  const byDays = (span: TimeRange) => days !== null && !detailed && span[1] - span[0] > MIN_DAILY_RANGE_SECONDS
  const partOf = (span: TimeRange) => (fine && coversRange(fine, span) ? fine : whole)
  const view = useChartView(limits, (span) => (days && byDays(span) ? days : partOf(span).data).times)
  const daily = days && view.times === days.times ? days : null
  const canDetail = days !== null && view.span[1] - view.span[0] > MIN_DAILY_RANGE_SECONDS
  return { whole, shown: daily ? whole : partOf(view.span), limits, view, daily, canDetail, detailed, setDetailed }
}
