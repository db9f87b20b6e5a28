import { dayOf } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import type { ChartData, TimeRange } from '../chart/types.ts'
import { useChartView } from '../chart/use-window.ts'
import { getFullRange } from '../chart/zoom.ts'
import { formatFullDay, formatMonthYear } from '../period/label.ts'
import { toDailyMeans } from './by-day.ts'
import { type CurveMeasure, measures } from './measure.ts'
import { buildChartData, type ExplorerSeries } from './model.ts'

/** Steps of one length; of days and months, which are not, `starts` says when each begins. */
export type CurveSteps = { startsAt: number; step: number; starts?: number[] }
/** What is known of a part of the curve at a finer step, in watts or in the measure of the whole. */
export type FinerSeries = { series: ExplorerSeries[]; startsAt: number; step: number }

export type CurveDataInput = CurveSteps & {
  series: ExplorerSeries[]
  measure: CurveMeasure
  finer?: FinerSeries | null
}

const MIN_DAILY_RANGE_SECONDS = 70 * 86_400
const MIN_MONTH_STEP_MINUTES = 2 * 1440
const QUARTER_HOUR_SECONDS = 900

/** A curve as it is drawn, and what its numbers are made of. */
export type CurveData = {
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
export function useCurveData(input: CurveDataInput, zooms: boolean) {
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
